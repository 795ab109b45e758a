const Sequencer = require('@jest/test-sequencer').default;

/**
 * Files that take more than a minute on two cores, longest first. Jest has no times in a fresh clone and starts with the largest files, so
 * a short file that runs for minutes could end up last and alone.
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

/** Sorts the slowest files of the long run first and keeps Jest's own order for the rest. */
module.exports = class SlowestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => placeOf(one) - placeOf(other));
  }
};
