const Sequencer = require('@jest/test-sequencer').default;

/**
 * Files that take more than a minute on two cores, slowest first. In a fresh clone Jest has no timings and starts with the largest files,
 * so a small file that takes minutes could start last.
 */
const SLOWEST = [
  'verify/simulation/courses',
  'console/axe',
  'stack/faults',
  'api/fuzz',
  'stack/operators',
  'stack/documents',
  'console/states',
  'stack/livekit',
  'stack/two-deployments',
  'stack/whole-campaign',
];

const placeOf = ({ path }) => {
  const place = SLOWEST.findIndex((name) => path.endsWith(`/test/${name}.long.test.ts`));
  return place === -1 ? SLOWEST.length : place;
};

/** Runs the slowest files of the long run first and keeps Jest's own order for the rest. */
module.exports = class SlowestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => placeOf(one) - placeOf(other));
  }
};
