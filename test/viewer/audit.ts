/** Accessibility: names for all controls, text with enough contrast, targets large enough for a thumb. */
import type { Page } from 'playwright-core';

const CONTROLS = new Set(['button', 'link', 'checkbox', 'radio', 'slider', 'combobox', 'textbox', 'searchbox']);
/** Landmarks of the page; without a name, screen readers cannot tell them apart. */
const PLACES = new Set(['region', 'navigation', 'complementary', 'form', 'table', 'group']);

interface AxValue {
  readonly value?: unknown;
}

interface AxNode {
  readonly ignored: boolean;
  readonly role?: AxValue;
  readonly name?: AxValue;
}

/** Controls and landmarks without a name, as the browser exposes them to screen readers. */
export async function nameless(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as { nodes: readonly AxNode[] };
  await session.detach();
  return nodes.flatMap(({ ignored, role, name }) => {
    const kind = String(role?.value);
    const isNamed = String(name?.value ?? '').trim() !== '';
    return !ignored && (CONTROLS.has(kind) || PLACES.has(kind)) && !isNamed ? [kind] : [];
  });
}

/** Text with a contrast below 4.5 : 1 (WCAG AA), except on disabled controls. */
export async function faintText(page: Page): Promise<readonly string[]> {
  return (await page.evaluate(`(() => {
    const parse = (text) => {
      const [r, g, b, a = 1] = (text.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
      return { r, g, b, a };
    };
    const over = (top, below) => {
      const mix = (x, y) => x * top.a + y * (1 - top.a);
      return { r: mix(top.r, below.r), g: mix(top.g, below.g), b: mix(top.b, below.b), a: 1 };
    };
    const light = ({ r, g, b }) => {
      const [x, y, z] = [r, g, b].map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const faint = new Set();
    for (const element of document.querySelectorAll('body *')) {
      const text = [...element.childNodes].filter((n) => n.nodeType === 3).map((n) => n.textContent).join('').trim();
      if (text === '' || element.closest('.unseen, script, style, [disabled], [aria-disabled=true]') !== null) continue;
      if (!element.checkVisibility()) continue;
      let opacity = 1;
      const behind = [];
      for (let e = element; e !== null; e = e.parentElement) {
        const style = getComputedStyle(e);
        opacity *= Number(style.opacity);
        const colour = parse(style.backgroundColor);
        if (colour.a > 0) behind.push(colour);
        if (colour.a === 1) break;
      }
      const ground = behind.reverse().reduce((below, top) => over(top, below));
      const style = getComputedStyle(element);
      const ink = parse(element instanceof SVGElement ? style.fill : style.color);
      const seen = over({ ...ink, a: ink.a * opacity }, ground);
      const [a, b] = [light(seen), light(ground)].sort((x, y) => y - x);
      const ratio = (a + 0.05) / (b + 0.05);
      if (ratio < 4.5) faint.add(element.tagName + '.' + element.getAttribute('class') + ' ' + ratio.toFixed(2) + ' ' + text.slice(0, 30));
    }
    return [...faint];
  })()`)) as readonly string[];
}

/** Controls smaller than 24 by 24 pixels (WCAG 2.2 AA); links in a sentence may be as low as their line. */
export async function smallTargets(page: Page): Promise<readonly string[]> {
  return (await page.evaluate(`(() => {
    const small = [];
    for (const control of document.querySelectorAll('button, a[href], select, input')) {
      if (!control.checkVisibility()) continue;
      const { width, height } = (control.closest('label') ?? control).getBoundingClientRect();
      if (width < 24 || height < 24) small.push(control.tagName + '.' + control.className + ' ' + Math.round(width) + 'x' + Math.round(height) + ' ' + (control.textContent || control.getAttribute('aria-label')));
    }
    return small;
  })()`)) as readonly string[];
}

/** Elements that extend beyond the right edge of the page, out of reach of scrolling. */
export async function overflowing(page: Page): Promise<readonly string[]> {
  return (await page.evaluate(`(() => {
    const wide = document.documentElement.clientWidth;
    const out = document.documentElement.scrollWidth > wide ? ['the page'] : [];
    const scrolls = (e) => { for (; e !== null; e = e.parentElement) if (/auto|scroll/.test(getComputedStyle(e).overflowX)) return true; return false; };
    for (const element of document.querySelectorAll('main *, header *')) {
      if (element.closest('.unseen') !== null || !element.checkVisibility()) continue;
      if (element.getBoundingClientRect().right > wide + 1 && !scrolls(element)) out.push(element.tagName + '.' + element.getAttribute('class'));
    }
    return out;
  })()`)) as readonly string[];
}
