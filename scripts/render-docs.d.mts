export function renderOptions(
  catalogue: Readonly<
    Record<
      string,
      {
        readonly kind: string;
        readonly fallback: unknown;
        readonly class: string;
        readonly tab: string;
        readonly help: string;
        readonly range: string;
        readonly section: string;
        readonly isRootsToRead?: boolean;
      }
    >
  >,
  isForRootAlone: (key: never) => boolean,
): string;
