import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

const GAP_PX = 4;
const LEAST_PX = 140;

/** A list under (or above) a field, on top of everything: a scrolling modal would cut it off. */
export function Popup({ anchor, children }: { anchor: RefObject<HTMLElement | null>; children: ComponentChildren }) {
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const place = () => {
      const node = popup.current;
      const around = anchor.current?.getBoundingClientRect();
      if (!node || !around) return;
      const below = innerHeight - around.bottom - GAP_PX * 2;
      const above = around.top - GAP_PX * 2;
      const isBelow = below >= LEAST_PX || below >= above;
      node.style.left = `${around.left}px`;
      node.style.width = `${around.width}px`;
      node.style.maxHeight = `${Math.min(280, isBelow ? below : above)}px`;
      node.style.top = isBelow ? `${around.bottom + GAP_PX}px` : '';
      node.style.bottom = isBelow ? '' : `${innerHeight - around.top + GAP_PX}px`;
    };
    place();
    addEventListener('scroll', place, true);
    addEventListener('resize', place);
    return () => {
      removeEventListener('scroll', place, true);
      removeEventListener('resize', place);
    };
  }, [anchor]);
  return (
    <div class="popup" ref={popup}>
      {children}
    </div>
  );
}
