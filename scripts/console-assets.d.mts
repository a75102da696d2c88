export interface PageLoad {
  readonly page: string;
  readonly requests: number;
  /** Compressed by brotli. */
  readonly bytes: number;
}
interface Limit {
  readonly bytes: number;
  readonly requests: number;
}
export const BUDGET: { readonly signIn: Limit; readonly guest: Limit; readonly page: Limit };
export function pageLoads(folder: string, texts?: ReadonlyMap<string, readonly string[]>): PageLoad[];
export function overBudget(loads: readonly PageLoad[], budget?: typeof BUDGET): string[];
export function compressAssets(folder: string): Promise<void>;
