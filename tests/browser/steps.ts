/** Counts what a person does for a task: presses, keys, and fields that they fill in. */
import type { Locator, Page } from 'playwright-core';

export interface Steps {
  press(target: Locator): Promise<void>;
  fill(field: Locator, text: string): Promise<void>;
  key(name: string): Promise<void>;
  taken(): number;
}

export function countSteps(page: Page): Steps {
  let count = 0;
  const step = async (action: Promise<void>) => {
    count += 1;
    await action;
  };
  return {
    press: (target) => step(target.click()),
    fill: (field, text) => step(field.fill(text)),
    key: (name) => step(page.keyboard.press(name)),
    taken: () => count,
  };
}
