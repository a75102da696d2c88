import ts from 'typescript';

const TIMERS = new Set(['setTimeout', 'setImmediate', 'after']);

interface Unit {
  /** Names it calls while it runs. */
  readonly calls: Set<string>;
  /** Names it calls from a timer it sets. */
  readonly arms: Set<string>;
}

/**
 * Work of a source file that repeats by itself: each `setInterval`, and each method or function that sets a timer which, by whatever way
 * within the file, comes back to it.
 * @returns names of the methods and functions, in order; `(file)` = outside all of them
 */
export function timerLoopsIn(text: string): readonly string[] {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  const units = new Map<string, Unit>();
  const loops = new Set<string>();
  const unitOf = (name: string): Unit => {
    const unit = units.get(name) ?? { calls: new Set<string>(), arms: new Set<string>() };
    units.set(name, unit);
    return unit;
  };

  const visit = (node: ts.Node, within: string, isArmed: boolean): void => {
    const name = nameOfUnit(node) ?? within;
    // The body of a function that is named inside a timer runs when that function is called.
    const armed = name === within && isArmed;
    if (ts.isCallExpression(node)) {
      const callee = calleeOf(node.expression);
      if (callee === 'setInterval') loops.add(name);
      if (callee !== undefined) unitOf(name)[armed ? 'arms' : 'calls'].add(callee);
      if (callee !== undefined && TIMERS.has(callee)) {
        for (const argument of node.arguments) {
          const handed = referenceOf(argument);
          if (handed !== undefined) unitOf(name).arms.add(handed);
          visit(argument, name, true);
        }
        return;
      }
    }
    ts.forEachChild(node, (child) => visit(child, name, armed));
  };
  visit(source, '(file)', false);

  const reaches = (from: string, target: string, seen = new Set<string>()): boolean => {
    if (from === target) return true;
    const unit = units.get(from);
    if (unit === undefined || seen.has(from)) return false;
    seen.add(from);
    return [...unit.calls, ...unit.arms].some((next) => reaches(next, target, seen));
  };
  for (const [name, { arms }] of units) {
    if ([...arms].some((armed) => reaches(armed, name))) loops.add(name);
  }
  return [...loops].sort();
}

function nameOfUnit(node: ts.Node): string | undefined {
  if (ts.isMethodDeclaration(node) || ts.isFunctionDeclaration(node)) return node.name?.getText();
  const isHolder = ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node);
  if (!isHolder || node.initializer === undefined) return undefined;
  return ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer)
    ? node.name.getText()
    : undefined;
}

/** `look` of `look()`, `this.look()` and `timers.setTimeout()`. */
function calleeOf(callee: ts.Expression): string | undefined {
  if (ts.isIdentifier(callee)) return callee.text;
  if (!ts.isPropertyAccessExpression(callee)) return undefined;
  const name = callee.name.text;
  const isOwn = callee.expression.kind === ts.SyntaxKind.ThisKeyword;
  // Methods of other objects are other code, but for the timers themselves.
  return isOwn || TIMERS.has(name) || name === 'setInterval' ? name : undefined;
}

/** `look` of `this.look`, `look` and `this.look.bind(this)`, handed to a timer. */
function referenceOf(node: ts.Expression): string | undefined {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node) && node.expression.kind === ts.SyntaxKind.ThisKeyword)
    return node.name.text;
  const isBound =
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === 'bind';
  return isBound ? referenceOf((node.expression as ts.PropertyAccessExpression).expression) : undefined;
}
