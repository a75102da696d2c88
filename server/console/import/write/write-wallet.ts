import { sentence } from '../../../common/import-sentences/sentence.js';
import { openSettled } from '../../../base/billing/opening/opening-money.js';
import { insertImportedCode, isCodeTaken } from '../../redemptions/imported-codes.js';
import { insertImportedOrder, isTradeTaken } from '../../wallet/orders/imported-orders.js';
import type { SourceCode, SourceOrder } from '../source/records.js';
import type { ImportContext, PreparedRow } from './import-context.js';
import { type Figures, markOf } from './journal.js';

const USED = 3;
const UNUSED = 1;
const TRADE_MAX = 64;
const NAME_MAX = 64;

/** Writes the redemption codes of a source. Those that were imported before stay as they are here. */
export async function writeCodes(context: ImportContext, codes: readonly SourceCode[]): Promise<void> {
  const { journal, counts, settings, tools } = context;
  counts.code.found = codes.length;
  const rows: PreparedRow[] = [];
  for (const code of codes) {
    const entry = journal.find('code', code.sourceId);
    if (entry !== undefined) {
      counts.code.unchanged += 1;
      if (markOf({ ...code }, []) !== entry.mark)
        context.note('changed', 'redemptions', code.sourceId, sentence('changed_stays'));
      continue;
    }
    const isUnusable = code.code === '' || code.quota <= 0;
    if (isUnusable || (await isCodeTaken(tools.dataSource.manager, tools.redemptionKeys, code.code))) {
      counts.code.leftOut += 1;
      context.note(
        isUnusable ? 'damaged' : 'conflict',
        'redemptions',
        code.sourceId,
        isUnusable ? sentence('code_unusable') : sentence('code_is_here'),
      );
      continue;
    }
    rows.push(prepareCode(context, code));
  }
  if (settings.isDryRun) counts.code.added = rows.length;
  else await context.writeAll('code', 'redemptions', rows);
}

/** Counted in the sum of unused codes, also one that has expired. */
export const isUnused = ({ status, deletedAtMs }: SourceCode): boolean =>
  status === UNUSED && deletedAtMs === null;

function prepareCode(context: ImportContext, code: SourceCode): PreparedRow {
  const { journal, settings, tools } = context;
  return {
    sourceId: code.sourceId,
    write: async (manager) => {
      const number = settings.keepsNumbers ? Number(code.sourceId) : null;
      const id = await insertImportedCode(manager, tools.redemptionKeys, {
        code: code.code,
        number,
        row: {
          userId: journal.targetOf('user', code.creator) ?? 0,
          status: code.status,
          name: [...code.name].slice(0, NAME_MAX).join(''),
          quota: code.quota,
          createdTime: code.createdTime,
          redeemedTime: code.redeemedTime,
          expiredTime: code.expiredTime,
          usedUserId: code.usedBy === '' ? 0 : (journal.targetOf('user', code.usedBy) ?? 0),
          deletedAtMs: code.deletedAtMs,
        },
      });
      if (code.status === USED)
        await openSettled(manager, 'code', id, code.quota, context.origin('code', id));
      const figures: Figures = isUnused(code) ? { unused: code.quota } : {};
      return { targetId: id, mark: markOf({ ...code }, []), figures };
    },
  };
}

/** Writes the payment orders of a source. */
export async function writeOrders(context: ImportContext, orders: readonly SourceOrder[]): Promise<void> {
  const { journal, counts, settings, tools } = context;
  counts.order.found = orders.length;
  const rows: PreparedRow[] = [];
  for (const order of orders) {
    if (journal.find('order', order.sourceId) !== undefined) {
      counts.order.unchanged += 1;
      continue;
    }
    const owner = journal.targetOf('user', order.owner);
    const fault =
      !settings.isDryRun && owner === undefined
        ? sentence('order_without_payer', { payer: order.owner })
        : order.tradeNo === '' || order.tradeNo.length > TRADE_MAX
          ? sentence('order_number_unusable')
          : order.moneyMinor <= 0 || order.quota <= 0
            ? sentence('order_without_amount')
            : (await isTradeTaken(tools.dataSource.manager, order.tradeNo))
              ? sentence('order_is_here')
              : null;
    if (fault !== null) {
      counts.order.leftOut += 1;
      context.note('left-out', 'top_ups', order.sourceId, fault);
      continue;
    }
    rows.push(prepareOrder(context, order));
  }
  if (settings.isDryRun) counts.order.added = rows.length;
  else await context.writeAll('order', 'top_ups', rows);
}

function prepareOrder(context: ImportContext, order: SourceOrder): PreparedRow {
  const { journal, settings } = context;
  return {
    sourceId: order.sourceId,
    write: async (manager) => {
      const id = await insertImportedOrder(
        manager,
        {
          userId: journal.targetOf('user', order.owner) ?? 0,
          amount: order.amount,
          moneyMinor: order.moneyMinor,
          currency: order.currency,
          quotaToCredit: order.quota,
          tradeNo: order.tradeNo,
          provider: order.provider,
          paymentMethod: order.method.slice(0, 64),
          merchantId: order.merchantId.slice(0, 255),
          status: order.status,
          createTime: order.createTime,
          completeTime: order.completeTime,
        },
        settings.keepsNumbers ? Number(order.sourceId) : null,
      );
      if (order.status === 'success')
        await openSettled(manager, 'order', id, order.quota, context.origin('order', id));
      return { targetId: id, mark: markOf({ ...order }, []), figures: {} };
    },
  };
}
