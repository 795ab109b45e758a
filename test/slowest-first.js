const Sequencer = require('@jest/test-sequencer').default;

/**
 * The files that take more than a minute on two cores, the longest first. Jest knows no times in a fresh clone and begins with the largest files,
 * so that a short file which runs for minutes would be the last, by itself.
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

/** Jest's own order, behind the slowest files of the long run. */
module.exports = class SlowestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => placeOf(one) - placeOf(other));
  }
};
