import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');

/** The tool itself, as `npm run replay -- FOLDER` starts it. */
async function replay(folder: string): Promise<{ readonly code: number | null; readonly output: string }> {
  const tool = spawn(process.execPath, [join(import.meta.dirname, 'main.mjs'), folder], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [tool.stdout, tool.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  }
  const [code] = (await once(tool, 'exit')) as [number | null];
  return { code, output };
}

describe('differential replay', () => {
  it('our own recordings are read alike by the vendors’ packages and, through the gateway, in every dialect', async () => {
    const { code, output } = await replay(join(import.meta.dirname, 'recordings'));
    expect(output.split('\n').filter((line) => line.startsWith('✗'))).toEqual([]);
    expect(output).toMatch(/(\d+) of \1 readings agree\./);
    expect(code).toBe(0);
  }, 240_000);

  it('fails with a message when the folder holds no recordings', async () => {
    const { code, output } = await replay(join(import.meta.dirname, 'recordings/anthropic'));
    expect(output).toContain('holds no recordings');
    expect(code).not.toBe(0);
  });
});
