import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadEnv, loadEnvAndFile, readEnvFile } from './env-file.js';

describe('a file of settings', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-env-'));
    file = join(folder, 'settings');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('fills in what the environment leaves out, and counts less than it', () => {
    writeFileSync(
      file,
      '# comment\nPORT=4000\nLOG_LEVEL="warn"\nSERVER_ADDRESS=https://gateway.example.com/\n',
    );
    const env = loadEnv({ DATA_DIR: folder, ENV_FILE: file, PORT: '5000', LOG_LEVEL: '' });
    expect(env).toMatchObject({ port: 5000, logLevel: 'warn', serverAddress: 'https://gateway.example.com' });
    expect(readEnvFile({ ENV_FILE: file, PORT: '5000' })).not.toHaveProperty('PORT');
  });

  it('needs no file without ENV_FILE, and refuses one that cannot be read', () => {
    expect(readEnvFile({})).toEqual({});
    expect(() => loadEnv({ DATA_DIR: folder, ENV_FILE: file })).toThrow(
      `ENV_FILE: ${file} cannot be read (ENOENT)`,
    );
  });

  it('refuses a line without a meaning: its default would be used silently', () => {
    writeFileSync(file, 'PORT=4000\nREDIS_URL: redis://:hunter2@redis\n');
    expect(() => loadEnv({ DATA_DIR: folder, ENV_FILE: file })).toThrow(
      `The environment has a fault:\n  ENV_FILE: ${file}, line 2: is not NAME=value`,
    );
    writeFileSync(file, 'DATABSE_URL=mysql://u:hunter2@db/tollgate\n');
    expect(() => loadEnv({ DATA_DIR: folder, ENV_FILE: file })).toThrow(
      'DATABSE_URL: is not read; if DATABASE_URL is meant, call it that, else take it out',
    );
  });

  it('warns about near misses without effect on money, and about one secret with two uses', () => {
    const secret = 's'.repeat(40);
    writeFileSync(file, `LOGLEVEL=warn\nSESSION_SECRET=${secret}\nCRYPTO_SECRET=${secret}\n`);
    expect(loadEnvAndFile({ DATA_DIR: folder, ENV_FILE: file }).warnings).toEqual([
      'LOGLEVEL: is not read; if LOG_LEVEL is meant, call it that, else take it out',
      expect.stringMatching(/^CRYPTO_SECRET: is the same as SESSION_SECRET/),
    ]);
  });

  it('has faults like the environment', () => {
    writeFileSync(file, 'PORT=eighty\n');
    expect(() => loadEnv({ DATA_DIR: folder, ENV_FILE: file })).toThrow('PORT: ');
  });
});
