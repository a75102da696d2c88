import type { OutboundPolicy } from '../../infra/http-client/safe-url.js';
import type { OptionRow } from './option-kinds.js';

/** Complaint about a value that is still usable; undefined = none. */
export type ValueComplaint = (row: OptionRow<unknown>, value: unknown) => string | undefined;

/** Addresses that this server would refuse to call. Names are looked up when they are called, not here. */
export const uncallableAddress =
  (policy: Pick<OutboundPolicy, 'complaintAbout'>): ValueComplaint =>
  ({ range, calls }, value) => {
    if (calls === undefined) return undefined;
    for (const address of calls.addressesOf(value)) {
      const reason = policy.complaintAbout(address, calls.as);
      if (reason !== undefined) return `${range}. ${address}: ${reason}`;
    }
    return undefined;
  };

/** Rules that refuse new values; a stored value that breaks one stays in force, and the console shows the complaint. */
export class OptionComplaints {
  private readonly others: ValueComplaint[] = [];

  register(complaint: ValueComplaint): void {
    this.others.push(complaint);
  }

  /** @param text  one that `row` has parsed to `value` */
  about(row: OptionRow<unknown>, text: string, value: unknown): string | undefined {
    const own = row.complaint?.(text);
    if (own !== undefined) return own;
    for (const complaint of this.others) {
      const words = complaint(row, value);
      if (words !== undefined) return words;
    }
    return undefined;
  }

  /** A text that cannot be read at all is one of those that are not in force. */
  ofStored(row: OptionRow<unknown>, text: string): string | undefined {
    try {
      return this.about(row, text, row.parse(text));
    } catch {
      return row.range;
    }
  }
}
