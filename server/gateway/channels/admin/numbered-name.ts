import { CHANNEL_LENGTHS } from '../state/channel.codes.js';

/**
 * Name of one of several channels that are created together: the first has it as it is, the next ones a number behind it.
 * @param index  from 0; the number is one higher
 */
export function numberedName(name: string, index: number): string {
  if (index === 0) return name;
  const suffix = ` ${index + 1}`;
  return `${Array.from(name)
    .slice(0, CHANNEL_LENGTHS.name - suffix.length)
    .join('')}${suffix}`;
}
