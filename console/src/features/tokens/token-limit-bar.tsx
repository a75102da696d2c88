import { useQuery } from '@tanstack/react-query';
import { LimitBar } from '../../shared/limits/limit-bar';
import { usedPercent } from '../../shared/limits/limit-texts';
import { ownLimitsQuery, type OwnLimit } from '../../shared/limits/limits.api';
import type { Token } from './api';

/** Use of the limit of a token that is used up furthest; a dash without one. */
export function TokenLimitBar({ token }: { token: Token }) {
  const limits = useQuery(ownLimitsQuery()).data ?? [];
  const uses = limits.flatMap((limit) => {
    const use = limitUse(limit, String(token.id));
    return use === undefined ? [] : [{ limit, use }];
  });
  const [furthest] = uses.toSorted((a, b) => usedPercent(b.use) - usedPercent(a.use));
  return furthest === undefined ? <>–</> : <LimitBar {...furthest} small />;
}

function limitUse(limit: OwnLimit, tokenId: string): OwnLimit['uses'][number] | undefined {
  const { scope, each, subject, enabled, measure, uses } = limit;
  if (scope !== 'token' || !enabled || measure === 'in_flight') return undefined;
  if (!each) return subject === tokenId ? uses[0] : undefined;
  return uses.find(({ value }) => value === tokenId);
}
