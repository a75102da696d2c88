export interface ScrapedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Scrape {
  readonly samples: readonly ScrapedSample[];
  /** Name → type, as the comments say. */
  readonly types: ReadonlyMap<string, string>;
  /** Sum of the samples of a name that have these labels; 0 when there are none. */
  value(name: string, labels: Readonly<Record<string, string>>): number;
}

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g;

/** Reads the text format of Prometheus strictly. Fails: throws for a line that is none, for a sample without a type, for one that comes twice. */
export function readExposition(text: string): Scrape {
  const samples: ScrapedSample[] = [];
  const types = new Map<string, string>();
  const seen = new Set<string>();
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  for (const line of text.slice(0, -1).split('\n')) {
    const [, type, name = '', kind = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (type === 'TYPE') {
      if (types.has(name)) throw new Error(`${name} has two types`);
      types.set(name, kind);
    }
    if (type !== undefined || line === '') continue;
    const sample = readSample(line);
    if (!types.has(sample.name) && !types.has(sample.name.replace(/_(bucket|sum|count)$/, '')))
      throw new Error(`${sample.name} has no type`);
    const key = `${sample.name}${JSON.stringify(Object.entries(sample.labels).sort())}`;
    if (seen.has(key)) throw new Error(`${key} comes twice`);
    seen.add(key);
    samples.push(sample);
  }
  return {
    samples,
    types,
    value: (name, labels) =>
      samples
        .filter((sample) => sample.name === name)
        .filter((sample) => Object.entries(labels).every(([label, text_]) => sample.labels[label] === text_))
        .reduce((sum, { value }) => sum + value, 0),
  };
}

function readSample(line: string): ScrapedSample {
  const [, name, labels = '', value = ''] = SAMPLE.exec(line) ?? [];
  if (name === undefined || Number.isNaN(Number(value.replace('+Inf', 'Infinity'))))
    throw new Error(`not a sample: ${line}`);
  return {
    name,
    labels: Object.fromEntries([...labels.matchAll(LABEL)].map(([, label = '', text = '']) => [label, text])),
    value: Number(value),
  };
}
