import { EnvelopeReply } from '../../common/envelope.js';
import type { TaskPage } from './task-lists.service.js';

/** A bare list with its total in a header (paging style C). */
export const listReply = (page: TaskPage<unknown>): EnvelopeReply =>
  new EnvelopeReply(page.items, '', {}, { 'X-Total-Count': String(page.total) });
