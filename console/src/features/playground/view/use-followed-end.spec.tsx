import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import { useFollowedEnd } from './use-followed-end';

/** jsdom has no layout: sizes are those of the test. */
let grow: () => void;
const original = globalThis.ResizeObserver;
beforeEach(() => {
  globalThis.ResizeObserver = class {
    constructor(changed: () => void) {
      grow = changed;
    }
    observe() {}
    unobserve() {}
    disconnect() {}
  } as unknown as typeof ResizeObserver;
});
afterEach(() => {
  globalThis.ResizeObserver = original;
});

function List({ count }: { count: number }) {
  const { list, content, onScroll } = useFollowedEnd(count);
  return (
    <div ref={list} role="log" onScroll={onScroll}>
      <div ref={content} />
    </div>
  );
}

const sizeOf = (list: HTMLElement, height: number) => {
  Object.defineProperty(list, 'scrollHeight', { value: height, configurable: true });
  Object.defineProperty(list, 'clientHeight', { value: 300, configurable: true });
};

it('follows the end while the answer grows between two scrolls, and not once the reader moved up', () => {
  const view = render(<List count={1} />);
  const list = screen.getByRole('log');
  sizeOf(list, 1_000);
  grow();
  expect(list.scrollTop).toBe(1_000);
  // The event of the first scroll comes when the list is longer already.
  sizeOf(list, 2_000);
  fireEvent.scroll(list);
  grow();
  expect(list.scrollTop).toBe(2_000);
  list.scrollTop = 900;
  fireEvent.scroll(list);
  sizeOf(list, 3_000);
  grow();
  expect(list.scrollTop).toBe(900);
  view.rerender(<List count={2} />);
  grow();
  expect(list.scrollTop).toBe(3_000);
});
