import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface MoneyCheck {
  readonly isRight: boolean;
  readonly words: string;
}

/**
 * `npm run money:check -- --logs` over the books as they are.
 * @param server  `dist/server/main.js` of the build under test
 */
export async function checkMoney(server: string, dataDir: string, databaseUrl: string): Promise<MoneyCheck> {
  const child = spawn(process.execPath, [join(server, '../money-check.js'), '--logs'], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let words = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => (words += bytes.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { isRight: code === 0, words: words.trim() };
}
