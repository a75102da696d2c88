import { describe, expect, it } from '@jest/globals';
import { cleanStyle } from './clean-style';

describe('cleanStyle', () => {
  it.each([
    'color: #c00; background-color: rgb(10 20 30 / 50%)',
    'background: linear-gradient(90deg, #f00, hsl(120, 50%, 50%))',
    'display: grid; grid-template-columns: repeat(auto-fit, minmax(200px, 1fr)); gap: 1rem',
    'display: flex; justify-content: space-between; align-items: center',
    'margin: 0 auto; padding: 12px 16px; max-width: 720px; border: 1px solid #ddd; border-radius: 8px',
    'font-size: 1.25rem; font-weight: 600; text-align: center',
  ])('keeps %s', (style) => {
    expect(cleanStyle(style)).toEqual({ kept: style, removed: [] });
  });

  it('names what it takes out, and "style" for what has no name', () => {
    expect(cleanStyle('position: fixed; color: red !important; "x": y; width: 100vw')).toEqual({
      kept: 'color: red; width: 100vw',
      removed: ['position', 'style'],
    });
  });

  it.each([
    'background: url(https://evil.example/x)',
    'background: u\\rl(x)',
    'background: image-set("x")',
    'color: var(--secret)',
    'width: calc(1px - 100vw)',
    'width: attr(data-x)',
    'margin-top: -100vh',
    'margin: 0 -1px',
    'letter-spacing: 1e-9px',
    'font-family: "a"',
    'color: red/*',
    'color: expression(alert(1))',
    'transform: none',
    'z-index: 1',
    'position: absolute',
    '--x: 1',
    'color',
    ': red',
    'COLOR\\: red',
  ])('takes out %s', (style) => {
    expect(cleanStyle(`${style}; gap: 1px`).kept).toBe('gap: 1px');
  });

  it('reads names and importance in whatever case they are written', () => {
    expect(cleanStyle(' COLOR : Red ! IMPORTANT ;;')).toEqual({ kept: 'color: Red', removed: [] });
    expect(cleanStyle('')).toEqual({ kept: '', removed: [] });
  });
});
