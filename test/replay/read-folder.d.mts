/** One recorded answer. */
export interface Recording {
  /** Path below the folder, without its ending. */
  readonly name: string;
  readonly vendor: string;
  readonly api: string;
  readonly form: 'whole' | 'chunks' | 'sse';
  readonly bytes: Buffer;
  /** What a reader of it has, for vendors without a package. */
  readonly expected?: Readonly<Record<string, unknown>>;
}
export function readFolder(folder: string): Recording[];
