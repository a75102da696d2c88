import { type UIEvent, useCallback, useEffect, useRef } from 'react';

/** The reader is this near to the end while following the answer. */
const NEAR_PX = 80;

/**
 * Keeps the end of a list in view until the reader scrolls up. Follows the size of what is inside, which also changes with images,
 * formulas and parts that are drawn when they come into view.
 * @param count  entries; a new one is followed again
 */
export function useFollowedEnd(count: number) {
  const list = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isFollowed = useRef(true);
  const lastTop = useRef(0);
  useEffect(() => {
    isFollowed.current = true;
  }, [count]);
  useEffect(() => {
    const [frame, inner] = [list.current, content.current];
    if (frame === null || inner === null || typeof ResizeObserver === 'undefined') return undefined;
    // Sizes are known by then: reading them costs no layout of its own.
    const observer = new ResizeObserver(() => {
      if (isFollowed.current) frame.scrollTop = frame.scrollHeight;
    });
    observer.observe(inner);
    observer.observe(frame);
    return () => observer.disconnect();
  }, []);
  const onScroll = useCallback(
    ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent<HTMLElement>) => {
      // An answer that grew since is no reason to stop: only moving up is.
      if (scrollHeight - scrollTop - clientHeight < NEAR_PX) isFollowed.current = true;
      else if (scrollTop < lastTop.current) isFollowed.current = false;
      lastTop.current = scrollTop;
    },
    [],
  );
  return { list, content, onScroll };
}
