/** Sizes other grammars write, as ratios. */
const RATIOS: ReadonlyMap<string, string> = new Map([
  ['256x256', '1:1'],
  ['512x512', '1:1'],
  ['1024x1024', '1:1'],
  ['1536x1024', '3:2'],
  ['1024x1536', '2:3'],
  ['1024x1792', '9:16'],
  ['1792x1024', '16:9'],
]);
const SIZE = /^(\d{2,5})x(\d{2,5})$/;
const KNOWN_RATIOS = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'] as const;

/** The ratio a size comes to; undefined = the model decides. Other sizes get the nearest ratio. */
export function aspectOf(size: string | undefined): string | undefined {
  if (size === undefined || size === 'auto') return undefined;
  if (size.includes(':')) return size;
  const known = RATIOS.get(size);
  if (known !== undefined) return known;
  const match = SIZE.exec(size);
  if (match === null) return undefined;
  const ratio = Number(match[1]) / Number(match[2]);
  const distance = (name: string): number => {
    const [width, height] = name.split(':').map(Number);
    return Math.abs(Math.log(ratio / ((width ?? 1) / (height ?? 1))));
  };
  return KNOWN_RATIOS.reduce((best, name) => (distance(name) < distance(best) ? name : best));
}

const LARGE: ReadonlySet<string> = new Set(['hd', 'high', '2k']);

/** `imageSize` is sent only when a quality was requested: the fast model does not know it. */
export function imageSizeOf(quality: string | undefined): string | undefined {
  if (quality === undefined || quality === 'auto') return undefined;
  return LARGE.has(quality.toLowerCase()) ? '2K' : '1K';
}
