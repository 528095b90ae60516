/** Reading a page as those do who can't see it, or who read another language. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { expect, type Page } from './serving';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe objects to. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe: engine } = window as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const found = await engine.run();
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
  });
}

/** All texts of the page, seen or heard, but for notation. */
async function texts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const heard = [...document.querySelectorAll('[aria-label], [placeholder], [title]')].flatMap(
      (element) =>
        ['aria-label', 'placeholder', 'title'].map((name) => element.getAttribute(name) ?? ''),
    );
    const notation = [...document.querySelectorAll('code')].map((code) => code.textContent);
    const seen = notation.reduce((text, code) => text.replace(code, ''), document.body.innerText);
    return [document.title, seen, ...heard];
  });
}

/** A key of a catalogue, which stands there because nobody has put it into words. */
const KEY = /^[a-z_]+(\.[a-z_]+)*\.(\w+)$/;
/** A value that nobody has put into its place. */
const SLOT = /\{\w+\}/;

/** Makes sure that everything on the page is said in words, and that axe is content. */
export async function expectReadable(page: Page, language: string, what: string): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('lang', language);
  const words = (await texts(page)).flatMap((text) => text.split(/\s+/));
  expect(
    words.filter((word) => KEY.test(word) || SLOT.test(word)),
    what,
  ).toEqual([]);
  expect(await violations(page), what).toEqual([]);
}

/** The texts of drawings that reach out of them, and whatever makes the page scroll sideways. */
export async function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const slack = 3;
    const out = [...document.querySelectorAll<SVGTextElement>('.frame svg text')].filter((text) => {
      const [box, svg] = [text, text.ownerSVGElement ?? text].map((one) =>
        one.getBoundingClientRect(),
      );
      if (!box || !svg || box.width === 0) return false;
      return box.left < svg.left - slack || box.right > svg.right + slack;
    });
    const wide = document.documentElement.scrollWidth > innerWidth ? ['the page'] : [];
    return [...wide, ...out.map((text) => text.textContent)];
  });
}
