import { describe, expect, it } from '@jest/globals';
import { sourceAddress } from './source-address.js';

describe('sourceAddress', () => {
  it.each([
    ['sqlite:/data/one-api.db', 'sqlite:/data/one-api.db'],
    ['sqlite:one-api.db?_busy_timeout=30000', 'sqlite:/home/one-api.db'],
    ['./one-api.db', 'sqlite:/home/one-api.db'],
    ['root:p@ss/w:rd@tcp(db:3306)/oneapi?parseTime=true', 'mysql://root:p%40ss%2Fw%3Ard@db:3306/oneapi'],
    ['root:x@tcp(db)/oneapi', 'mysql://root:x@db/oneapi'],
    [
      'host=db user=u password=p dbname=na port=5433 sslmode=disable',
      'postgres://u:p@db:5433/na?sslmode=disable',
    ],
    ['postgresql://u:p@db/litellm?schema=public&connection_limit=5', 'postgresql://u:p@db/litellm'],
  ])('reads %s', (text, address) => {
    expect(sourceAddress(text, '/home')).toBe(address);
  });

  it.each(['', 'local', 'http://db/oneapi', 'root:secret@db'])('refuses %j without its password', (text) => {
    let message = '';
    try {
      sourceAddress(text, '/home');
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain('sqlite:');
    expect(message).not.toContain('secret');
  });
});
