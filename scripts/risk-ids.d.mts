export const RISK_GROUPS: readonly {
  readonly code: string;
  readonly title: string;
  readonly first: number;
  readonly last: number;
}[];

export function riskId(code: string, number: number): string;

export function risksIn(text: string): string[];

export function isRisk(risk: string): boolean;
