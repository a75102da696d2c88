export type Labels = Readonly<Record<string, string>>;

/** Values one label may take before the rest are counted together. */
export const MAX_LABEL_VALUES = 200;
/** Label sets one figure may have before the rest are counted together. */
const MAX_SERIES = 2_000;
/** Label value of the rest. */
export const OTHER = 'other';

type Branch<Item> = Map<string, Branch<Item> | Item>;

/**
 * One item per label set, found through nested maps: a lookup allocates nothing. What clients can name (models) or administrators
 * can add (channels) is bounded here, so that no figure grows without limit.
 */
export class LabelledSeries<Item extends object> {
  private readonly root: Branch<Item> = new Map();
  private readonly known: readonly Set<string>[];
  private readonly found: { readonly labels: Labels; readonly item: Item }[] = [];

  constructor(
    private readonly labelNames: readonly string[],
    private readonly create: () => Item,
  ) {
    this.known = labelNames.map(() => new Set<string>());
  }

  /** @param values  one per label name; a missing one counts as empty */
  at(values: readonly string[]): Item {
    const depth = Math.max(this.labelNames.length, 1);
    let node: Branch<Item> | Item | undefined = this.root;
    for (let index = 0; index < depth && node instanceof Map; index += 1)
      node = node.get(values[index] ?? '');
    return node === undefined || node instanceof Map ? this.add(values) : node;
  }

  /** In order of appearance. */
  entries(): readonly { readonly labels: Labels; readonly item: Item }[] {
    return this.found;
  }

  /** Only when a label set is met first: under its own name while there is room, else among the others. */
  private add(values: readonly string[]): Item {
    const bounded = this.labelNames.map((_name, index) => this.bounded(index, values[index] ?? ''));
    const isFull = this.found.length >= MAX_SERIES;
    const names = isFull ? this.labelNames.map(() => OTHER) : bounded;
    const isNew = names.every((name, index) => name === (values[index] ?? ''));
    if (!isNew) return this.at(names);
    let branch = this.root;
    for (const name of names.slice(0, -1)) {
      const next = branch.get(name);
      const child: Branch<Item> = next instanceof Map ? next : new Map<string, Branch<Item> | Item>();
      if (child !== next) branch.set(name, child);
      branch = child;
    }
    const item = this.create();
    branch.set(names.at(-1) ?? '', item);
    this.found.push({
      labels: Object.fromEntries(this.labelNames.map((label, index) => [label, names[index] ?? ''])),
      item,
    });
    return item;
  }

  private bounded(index: number, value: string): string {
    const known = this.known[index];
    if (known === undefined || value === OTHER || known.has(value)) return value;
    if (known.size >= MAX_LABEL_VALUES) return OTHER;
    known.add(value);
    return value;
  }
}
