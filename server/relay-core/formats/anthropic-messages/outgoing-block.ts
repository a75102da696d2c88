/** A block on its way out; members are added until it leaves. */
export type OutgoingBlock = Record<string, unknown> & { readonly type: unknown };
