import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** As near to its end, in pixels, what scrolls is at its end. */
const NEAR = 24;

/** What stays at its end while more comes, until somebody scrolls up. */
export interface StickyEnd {
  readonly view: RefObject<HTMLDivElement | null>;
  readonly isFollowing: boolean;
  /** What came since it stays where it is. */
  readonly unread: number;
  readonly follow: (is: boolean) => void;
  readonly onScroll: () => void;
}

/** @param count - how much ever came */
export function useStickyEnd(count: number): StickyEnd {
  const view = useRef<HTMLDivElement>(null);
  const [isFollowing, setFollowing] = useState(true);
  const [seen, setSeen] = useState(0);
  useLayoutEffect(() => {
    const element = view.current;
    if (!isFollowing || element === null) return;
    element.scrollTop = element.scrollHeight;
    setSeen(count);
  }, [count, isFollowing]);
  const onScroll = useCallback(() => {
    const element = view.current;
    if (element === null) return;
    setFollowing(element.scrollHeight - element.scrollTop - element.clientHeight < NEAR);
  }, []);
  // Those who pause at the end stay there until they say so: a scroll by nobody would follow again.
  return { view, isFollowing, unread: Math.max(0, count - seen), follow: setFollowing, onScroll };
}
