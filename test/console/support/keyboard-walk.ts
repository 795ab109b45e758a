/** Tabs through a page and reports the controls that the Tab key doesn't reach. */
import type { Page } from 'playwright-core';

export interface Walk {
  /** Controls that Tab doesn't reach. */
  missed: string[];
  /** Controls without a visible focus indicator. */
  unmarked: string[];
  /** False if Tab never leaves the page. */
  isThrough: boolean;
}

/** More Tab presses than any page needs. Each part of a date field takes one press. */
const MAX_STEPS = 400;

/** Runs inside the page, so it can't use functions from this file. */
const PREPARE = `(() => {
  const CONTROLS = 'a[href], button, input, select, textarea, summary, iframe, [tabindex="0"]';
  const isShown = (each) => each.checkVisibility({ visibilityProperty: true }) && !each.matches(':disabled');
  const nameOf = (each) =>
    [each.localName, each.getAttribute('aria-label') ?? each.labels?.[0]?.textContent ?? each.textContent]
      .join(' ').trim().slice(0, 80);
  const reached = new Set();
  const isMarked = (each) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(each);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
  };
  // Tab continues from the last focused position, even if that element is gone.
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute('tabindex');
  window.walk = {
    step() {
      const at = document.activeElement;
      if (at === null || at === document.body || at === document.documentElement) return { kind: 'through' };
      const isNew = !reached.has(at);
      reached.add(at);
      return { kind: 'at', name: nameOf(at), isNew, isMarked: at.localName === 'iframe' || isMarked(at) };
    },
    missed: () => [...document.querySelectorAll(CONTROLS)]
      .filter((each) => isShown(each) && each.tabIndex >= 0 && !reached.has(each))
      .map(nameOf),
  };
})()`;

type Step = { kind: 'through' } | { kind: 'at'; name: string; isNew: boolean; isMarked: boolean };

/** Presses Tab from the start of the page until the focus leaves it. */
export async function walk(page: Page): Promise<Walk> {
  await page.evaluate(PREPARE);
  const unmarked: string[] = [];
  let isThrough = false;
  for (let steps = 0; steps < MAX_STEPS && !isThrough; steps += 1) {
    await page.keyboard.press('Tab');
    const step = await page.evaluate<Step>('window.walk.step()');
    if (step.kind === 'through') isThrough = steps > 0;
    else if (step.isNew && !step.isMarked) unmarked.push(step.name);
  }
  return { missed: await page.evaluate<string[]>('window.walk.missed()'), unmarked, isThrough };
}

/**
 * Presses Tab and returns where the focus went: into the dialog, or to the page behind it. Ignores steps after which no control has the
 * focus, which happens between the dialog's last and first control.
 */
export async function focusedIn(page: Page, steps: number): Promise<string[]> {
  const places = new Set<string>();
  for (let step = 0; step < steps; step += 1) {
    await page.keyboard.press('Tab');
    const place = await page.evaluate<string | null>(`(async () => {
      // The dialog moves the focus back in a separate task.
      await new Promise((resolve) => setTimeout(resolve, 100));
      const at = document.activeElement;
      if (at.closest('[role=alertdialog]') !== null) return 'dialog';
      return at.matches('a, button, input, select, textarea, summary, iframe') ? 'page' : null;
    })()`);
    if (place !== null) places.add(place);
  }
  return [...places];
}
