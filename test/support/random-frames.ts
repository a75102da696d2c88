/** Numbers that are the same for the same seed. */
export interface Random {
  /** @returns a whole number from 0 up to, not including, `limit` */
  below(limit: number): number;
}

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return {
    below(limit) {
      // Mulberry32.
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
    },
  };
}

const TYPES = [
  'session.update',
  'input_audio_buffer.append',
  'input_audio_buffer.commit',
  'conversation.item.create',
  'conversation.item.delete',
  'unknown',
  '',
  5,
  null,
];

/** A frame either side might send: any kind, shape, depth and size within the limits. Never ends or begins a response. */
export function randomFrame(random: Random): Buffer {
  const type = TYPES[random.below(TYPES.length)];
  const size = random.below(20) === 0 ? random.below(200_000) : random.below(300);
  const shapes = [
    { type, audio: 'A'.repeat(size) },
    { type, session: { instructions: 'word '.repeat(size / 5), tools: [nest(random, 20)] } },
    { type, item: { content: [{ text: 'x'.repeat(size) }, { audio: 'AAAA' }, nest(random, 50)] } },
    { type, item: nest(random, 60) },
    Object.fromEntries(Array.from({ length: random.below(300) }, (_, index) => [`m${index}`, index])),
    [type, nest(random, 60)],
    null,
    size,
  ];
  return Buffer.from(JSON.stringify(shapes[random.below(shapes.length)]));
}

function nest(random: Random, levels: number): unknown {
  let value: unknown = 'x';
  for (let level = random.below(levels); level > 0; level -= 1)
    value = random.below(2) === 0 ? [value] : { content: value, type: 'x' };
  return value;
}
