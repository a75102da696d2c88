import { describe, expect, it } from '@jest/globals';
import { imagesOf } from './media-call';

describe('imagesOf', () => {
  it('shows images inside the answer and names those elsewhere', () => {
    expect(
      imagesOf({
        data: [
          { b64_json: '/9j/AA==' },
          { url: 'https://vendor.example/a.png' },
          { url: 'javascript:alert(1)' },
          { b64_json: '"><script>' },
          null,
        ],
      }),
    ).toEqual([
      { source: 'inside', url: 'data:image/jpeg;base64,/9j/AA==' },
      { source: 'address', url: 'https://vendor.example/a.png' },
    ]);
  });

  it.each([undefined, {}, { data: 'x' }])('finds none in %j', (answer) => {
    expect(imagesOf(answer)).toEqual([]);
  });
});
