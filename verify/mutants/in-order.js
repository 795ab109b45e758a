const Sequencer = require('@jest/test-sequencer').default;
const { relative } = require('node:path');

/** Runs the suites in the order of MUTANT_SUITES, with those first that probably find the mutant. */
module.exports = class InOrder extends Sequencer {
  sort(tests) {
    const order = JSON.parse(process.env.MUTANT_SUITES);
    const place = ({ path }) => order.indexOf(relative(process.cwd(), path));
    return [...tests].sort((one, other) => place(one) - place(other));
  }
};
