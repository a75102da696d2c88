import { describe, expect, it } from '@jest/globals';
import { cleanHtml } from './clean-html';

describe('WEB-01 cleanHtml', () => {
  it.each([
    ['<script>alert(1)</script>hello', 'hello'],
    ['<img src=x onerror=alert(1)>', '<img src="x">'.replace(' src="x"', '')],
    ['<a href="javascript:alert(1)">go</a>', '<a rel="noopener noreferrer nofollow">go</a>'],
    ['<a href=" JAVASCRIPT:alert(1)">go</a>', '<a rel="noopener noreferrer nofollow">go</a>'],
    ['<svg onload=alert(1)><text>in</text></svg>', ''],
    ['<p onclick="x()" style="position:fixed">text</p>', '<p>text</p>'],
    ['<iframe src="https://evil.example"></iframe>after', 'after'],
    ['<form action="/x"><button>press</button></form>', 'press'],
    ['<math><mtext></form><script>alert(1)</script></math>', ''],
    ['//host/x is text', '//host/x is text'],
  ])('WEB-04 takes what acts out of %s', (given, expected) => {
    expect(cleanHtml(given)).toBe(expected);
  });

  it('keeps what marks text up, and opens links elsewhere', () => {
    expect(cleanHtml('<h2>Hi</h2><a href="https://a.example/x">a</a>')).toBe(
      '<h2>Hi</h2><a href="https://a.example/x" rel="noopener noreferrer nofollow" target="_blank">a</a>',
    );
    expect(cleanHtml('<img src="https://a.example/p.png" alt="p">')).toBe(
      '<img src="https://a.example/p.png" alt="p">',
    );
  });
});
