import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { blankPage } from './watched.ts';

/** A text of a picture. */
export interface DrawnText {
  readonly text: string;
  /** Whether all of it is inside the picture. */
  readonly isInside: boolean;
  /** Of its colour with what is behind it, from 1 to 21, as WCAG counts it. */
  readonly contrast: number;
}

/** Shows a picture as a document of its own. */
export async function shownPicture(svg: string, scheme: 'light' | 'dark'): Promise<Page> {
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(svg));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const page = await blankPage({ colorScheme: scheme, viewport: { width: 1400, height: 1000 } });
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return page;
}

/**
 * All texts of the picture that a page shows.
 *
 * @param ground - the colour of what is behind the picture, in red, green and blue
 */
export const textsOf = (page: Page, ground: readonly number[]): Promise<readonly DrawnText[]> =>
  page.evaluate((behind) => {
    const luminance = (colour: readonly number[]): number => {
      const [red = 0, green = 0, blue = 0] = colour.map((part) => {
        const share = part / 255;
        return share <= 0.039_28 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    /** Red, green, blue and how opaque it is. */
    const partsOf = (colour: string): readonly number[] => {
      const numbers = (colour.match(/[\d.]+/g) ?? []).map(Number);
      return [...numbers.slice(0, 3), numbers[3] ?? 1];
    };
    const mixed = (over: readonly number[], opacity: number, under: readonly number[]): readonly number[] =>
      under.map((part, index) => (over[index] ?? 0) * opacity + part * (1 - opacity));
    const root = document.documentElement.getBoundingClientRect();
    /** What is drawn before the text, at its middle, from the bottom up. */
    const groundOf = (text: Element, x: number, y: number): readonly number[] => {
      const below = document.elementsFromPoint(x, y);
      const shapes = below.slice(below.indexOf(text) + 1).toReversed();
      return shapes.reduce<readonly number[]>((ground, shape) => {
        if (!(shape instanceof SVGGeometryElement)) return ground;
        const { fill, fillOpacity, opacity } = getComputedStyle(shape);
        if (fill === 'none') return ground;
        const colour = partsOf(fill);
        return mixed(colour, (colour[3] ?? 1) * Number(fillOpacity) * Number(opacity), ground);
      }, behind);
    };
    return [...document.querySelectorAll('text')].map((text) => {
      const box = text.getBoundingClientRect();
      text.scrollIntoView({ block: 'center', inline: 'center' });
      const seen = text.getBoundingClientRect();
      const under = groundOf(text, seen.x + seen.width / 2, seen.y + seen.height / 2);
      const { fill, fillOpacity, opacity } = getComputedStyle(text);
      const colour = partsOf(fill);
      const over = mixed(colour, (colour[3] ?? 1) * Number(fillOpacity) * Number(opacity), under);
      const [light = 0, dark = 0] = [luminance(over), luminance(under)].toSorted((a, b) => b - a);
      return {
        text: text.textContent,
        isInside:
          box.left >= root.left - 1 &&
          box.right <= root.right + 1 &&
          box.top >= root.top - 1 &&
          box.bottom <= root.bottom + 1,
        contrast: (light + 0.05) / (dark + 0.05),
      };
    });
  }, ground);
