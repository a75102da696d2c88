import type { AdminOrder } from './api';

export type OrderAction = 'complete' | 'reassign' | 'refund';

/**
 * Actions the server allows for an order by hand. An account that is deregistered has no name any more: its order can
 * only go to another account, and only root decides that, as about closing one whose payment was given back.
 */
export function actionsOn(order: Pick<AdminOrder, 'status' | 'username'>, isRoot: boolean): OrderAction[] {
  if (['success', 'refunded', 'disputed'].includes(order.status)) return [];
  const isOwnerGone = order.username === '';
  const actions: OrderAction[] = [];
  if (!isOwnerGone) actions.push('complete');
  else if (isRoot) actions.push('reassign');
  if (isRoot && order.status === 'mismatch') actions.push('refund');
  return actions;
}
