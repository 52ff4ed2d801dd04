import { useEffect, useState } from 'preact/hooks';

/** Milliseconds since the epoch, a new one after each period. */
export function useNow(period: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setNow(Date.now());
    }, period);
    return () => clearInterval(timer);
  }, [period]);
  return now;
}
