export const RISK_GROUPS: readonly {
  readonly code: string;
  readonly title: string;
  readonly count: number;
  readonly digits: number;
}[];

export function risksIn(text: string): string[];

export function isRisk(risk: string): boolean;
