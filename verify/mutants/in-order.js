const Sequencer = require('@jest/test-sequencer').default;
const { relative } = require('node:path');

/** Runs the suites in the order of MUTANT_SUITES, which begins with those that are most likely to find the mutant. */
module.exports = class InOrder extends Sequencer {
  sort(tests) {
    const order = JSON.parse(process.env.MUTANT_SUITES);
    const place = ({ path }) => order.indexOf(relative(process.cwd(), path));
    return [...tests].sort((one, other) => place(one) - place(other));
  }
};
