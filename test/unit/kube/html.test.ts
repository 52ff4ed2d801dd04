import { expect, test } from 'vitest';
import { textOfHtml } from '../../../operator/kube/html.ts';

test.each([
  ['<html><body><h1>502</h1> Bad\n gateway</body></html>', '502 Bad gateway'],
  ['a<style>p {}</style>b<script>alert(1)</script>c', 'a b c'],
  ['starting', 'starting'],
  ['a < b', 'a < b'],
  ['<style>never closed', ''],
])('of %j the text is %j', (html, text) => {
  expect(textOfHtml(html)).toBe(text);
});

test.each(['<', '<style>', '<a', '>', '<script></', ' '])('a million characters of %j take no time', (part) => {
  const html = part.repeat(1_000_000 / part.length);
  const startedAt = performance.now();
  textOfHtml(html);
  expect(performance.now() - startedAt).toBeLessThan(500);
});
