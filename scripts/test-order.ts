/**
 * The order of a run: what takes longest first, so that nothing long runs alone at the end. A fresh clone knows no durations, and a file's
 * size says little: the crash tests are ten lines. What starts the whole service, or a browser too, takes longer than what calls a function;
 * and the collector's tests wait for their runtime, which is better beside others than alone.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const SLOWEST_FIRST = [
  ...['/tests/crash/', '/tests/browser/', '/tests/e2e/', '/tests/'],
  ...['/packages/collector/', '/packages/server/'],
];

export default class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const index = SLOWEST_FIRST.findIndex((folder) => moduleId.includes(folder));
      return index === -1 ? SLOWEST_FIRST.length : index;
    };
    // Within a folder the larger file first, or the slower one where an earlier run is known.
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
