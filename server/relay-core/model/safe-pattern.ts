const MAX_UNBOUNDED = 3;

/**
 * True when an operator's regular expression may run on callers' text: it parses, and nothing in it makes matching explode.
 * Back-references, look-around and repetition inside repetition are refused, and so are more than three open-ended repetitions; the
 * rest costs at most a low power of the text's length, which callers of this function bound.
 */
export function isSafePattern(source: string): boolean {
  try {
    RegExp(source, 'u');
  } catch {
    // Not a regular expression: refused like one that is dangerous.
    return false;
  }
  if (/\\[1-9k]|\(\?(?:[=!]|<[=!])/.test(source)) return false;
  return hasBoundedRepetition(source);
}

/** Walks the pattern once: a group that holds a repetition or a choice must not be repeated itself. */
function hasBoundedRepetition(source: string): boolean {
  /** Per open group: whether something in it may repeat or branch. */
  const groups: boolean[] = [];
  let closedGroupMoves = false;
  let wasGroup = false;
  let unbounded = 0;
  for (let index = 0; index < source.length; index += 1) {
    const character = source[index];
    if (character === '\\') {
      index = endOfEscape(source, index);
      wasGroup = false;
    } else if (character === '[') {
      index = endOfClass(source, index);
      wasGroup = false;
    } else if (character === '(') {
      groups.push(false);
      wasGroup = false;
      // `(?:` and `(?<name>` are no repetitions.
      if (source[index + 1] === '?') index += 1;
    } else if (character === ')') {
      closedGroupMoves = groups.pop() ?? false;
      if (closedGroupMoves) markMoving(groups);
      wasGroup = true;
    } else if (character === '|') {
      markMoving(groups);
      wasGroup = false;
    } else if (isRepetition(source, index)) {
      if (wasGroup && closedGroupMoves) return false;
      if (isOpenEnded(source, index)) unbounded += 1;
      if (unbounded > MAX_UNBOUNDED) return false;
      markMoving(groups);
      if (character === '{') index = source.indexOf('}', index);
      // A lazy mark belongs to the repetition.
      if (source[index + 1] === '?') index += 1;
      wasGroup = false;
    } else {
      wasGroup = false;
    }
  }
  return true;
}

const markMoving = (groups: boolean[]): void => {
  if (groups.length > 0) groups[groups.length - 1] = true;
};

const isRepetition = (source: string, index: number): boolean => '*+?{'.includes(source[index] ?? ' ');

const isOpenEnded = (source: string, index: number): boolean =>
  source[index] === '*' || source[index] === '+' || /^\{\d+,(?:\}|\d{3,})/.test(source.slice(index));

/** Last character of `\d`, `\u{…}`, `\p{…}`: their braces are no repetition. */
function endOfEscape(source: string, start: number): number {
  const match = /^\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|.)/su.exec(source.slice(start));
  return start + (match?.[0].length ?? 1) - 1;
}

function endOfClass(source: string, start: number): number {
  for (let index = start + 1; index < source.length; index += 1) {
    if (source[index] === '\\') index += 1;
    else if (source[index] === ']') return index;
  }
  return source.length;
}
