import { describe, expect, it } from '@jest/globals';
import { leastCpuMs } from '../../../test/support/least-cpu.js';
import { scrubText } from './text-scrub.js';

const KEY = 'top"secret/value|with parts';

describe('scrubText [UP-06]', () => {
  it.each([
    ['as it is', `key ${KEY} refused`],
    ['JSON-encoded', `key ${JSON.stringify(KEY)} refused`],
    ['URL-encoded', `key ${encodeURIComponent(KEY)} refused`],
    ['in parts', 'key top"secret/value refused'],
  ])('hides the channel’s key %s', (_name, text) => {
    expect(scrubText(text, [KEY])).not.toMatch(/secret/);
  });

  it.each([
    'Incorrect API key provided: sk-proj-abc123DEF456. Find it elsewhere',
    'token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl is bad',
    'AIzaSyA1234567890abcdef',
    'Authorization: Bearer abcdefgh',
    'api_key=abcdefgh',
    'connect ECONNREFUSED 10.1.2.3:8443',
    'see https://inner.example/path?x=1',
    'host db-1.prod.internal is down',
    'localhost:9000',
    'connect to fd00::9000 or ::ffff:9000 failed',
    'Rate limit reached for gpt-4o in organization org-Ab12Cd34Ef56Gh78abc123 on tokens per min',
    'Project `proj_Ab12Cd34Ef56Gh78abc123` does not have access to model',
    'not authorized on resource: arn:aws:bedrock:eu-west-1:9000123412:inference-profile/abc123',
  ])('hides secrets and addresses: %s', (text) => {
    expect(scrubText(text, [])).not.toMatch(
      /abc123|eyJzdWIi|AIzaSy|abcdefgh|10\.1\.2\.3|inner\.example|db-1|9000/,
    );
  });

  it('leaves sentences, model names and short words alone', () => {
    const text = "This model's maximum context length is 8192 tokens (gpt-4.1-mini, v1.5). none";
    expect(scrubText(text, ['none'])).toBe(text);
    const own = 'field org-name, parameter proj_settings, organisation-wide limits (org-administration)';
    expect(scrubText(own, [])).toBe(own);
  });

  it.each(['a-', 'a.', 'a+', 'ey-', 'ab:', 'key ', 'at ', 'at /', ' at (/:'])(
    'scrubs a page of %j at once [RLY-08]',
    (word) => {
      const page = word.repeat(30_000);
      expect(leastCpuMs(() => scrubText(page, [KEY]))).toBeLessThan(250);
      expect(scrubText(page, [KEY]).length).toBeLessThanOrEqual(500);
    },
  );

  it.each([
    'Boom\n    at Object.<anonymous> (/srv/app/secret-place.js:10:5)\n    at node:internal/main:1:2',
    'Boom at async run [as go] (file:///srv/secret-place.mjs:1:2)',
    'Boom at /srv/secret-place.js:7:1',
    'Boom\n    at C:\\srv\\secret-place.js:7:1',
    'Boom\nTraceback (most recent call last):\n  File "/srv/secret-place.py", line 3, in run',
    'Boom File "/srv/secret-place.py", line 3',
  ])('cuts a stack off: %j', (text) => {
    expect(scrubText(text, [])).toBe('Boom');
  });

  it('leaves times of day alone', () => {
    expect(scrubText('try again at 12:30:45', [])).toBe('try again at 12:30:45');
  });

  it('takes control characters out and cuts at 500 characters', () => {
    expect(scrubText('a\r\n\ndata: x\u0000b', [])).toBe('a data: x b');
    expect(scrubText('x'.repeat(900), [])).toHaveLength(500);
  });

  it.each(['token ya29.a0AfB_byC-1234567890', 'AKIAIOSFODNN7EXAMPLE was refused', 'ASIAIOSFODNN7EXAMPLE'])(
    'hides credentials that clouds hand out: %s',
    (text) => {
      expect(scrubText(text, [])).not.toMatch(/ya29|AKIA|ASIA|1234567890/);
    },
  );
});
