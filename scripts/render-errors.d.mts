import type { Dialect } from '../server/relay-core/dialects/dialect.js';
import type { RelayErrorKind } from '../server/relay-core/model/relay-error.js';

export function renderErrors(facts: {
  readonly catalogue: Readonly<
    Record<string, { readonly status?: number; readonly en: string; readonly zh: string }>
  >;
  readonly kinds: readonly string[];
  readonly dialects: readonly Dialect[];
  readonly refusals: Readonly<Record<string, { readonly kind: string; readonly message: string }>>;
  readonly retryAfterOf: (kind: RelayErrorKind) => string;
}): string;
