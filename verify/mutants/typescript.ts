/**
 * Finds the conditions of a TypeScript source in the compiler's syntax tree and proposes an edit for each.
 *
 * Stryker creates more kinds of mutants and has a Jest runner. But Temporal runs workflows from a bundle, which never contains Stryker's
 * instrumented files, and SQL functions need a separate mutator and judge anyway. One judge for both is less code.
 */
import * as ts from 'typescript';
import { excerpt, type Edit } from './mutant';

const SWAPS = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.EqualsEqualsToken, '!='],
  [ts.SyntaxKind.ExclamationEqualsToken, '=='],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
]);

const JOINS = new Set([ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken]);

export function typescriptEdits(source: string): Edit[] {
  const tree = ts.createSourceFile('source.ts', source, ts.ScriptTarget.ES2022, true);
  const edits: Edit[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return;
    edits.push(...editsOf(node, tree));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return edits;
}

function editsOf(node: ts.Node, tree: ts.SourceFile): Edit[] {
  const replace = (part: ts.Node, by: string, change?: string): Edit => {
    const said = change ?? `${excerpt(part.getText(tree))} → ${by}`;
    return { start: part.getStart(tree), end: part.getEnd(), replacement: by, change: said };
  };
  const decided = (condition: ts.Expression, values = ['true', 'false']): Edit[] =>
    values.map((value) => replace(condition, value));
  if (ts.isIfStatement(node)) return decided(node.expression);
  if (ts.isConditionalExpression(node)) return decided(node.condition);
  // Replacing the condition with `true` would loop forever.
  if (ts.isWhileStatement(node) || ts.isDoStatement(node)) return decided(node.expression, ['false']);
  if (ts.isForStatement(node) && node.condition !== undefined) return decided(node.condition, ['false']);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    return [replace(node, node.operand.getText(tree), '! removed')];
  }
  if (!ts.isBinaryExpression(node)) return [];
  const swap = SWAPS.get(node.operatorToken.kind);
  if (swap === undefined) return [];
  if (JOINS.has(node.operatorToken.kind)) {
    return [
      replace(node.operatorToken, swap),
      replace(node, node.right.getText(tree), `${excerpt(node.left.getText(tree))} dropped`),
      replace(node, node.left.getText(tree), `${excerpt(node.right.getText(tree))} dropped`),
    ];
  }
  const bounds = [node.left, node.right].filter(ts.isNumericLiteral);
  return [
    replace(node.operatorToken, swap),
    ...bounds.map((bound) => replace(bound, String(Number(bound.text) + 1))),
  ];
}
