import type { ArithmeticExpression } from "unbash";

/** A text that arithmetic reads as a number, whatever the variables hold. */
export const isNumber = (text: string): boolean => /^[-+]?(?:\d+|0x[\da-fA-F]+)$/.test(text.trim());

/**
 * Whether an expression can only compute. The value of a variable is read as an expression in its turn, and that of
 * `a[$(…)]` runs a command: variables count only where nothing but numbers is ever put into them.
 */
export function onlyComputes(
  expression: ArithmeticExpression | undefined,
  isNumeric: (variable: string) => boolean,
): boolean {
  const all = (...parts: ArithmeticExpression[]) => parts.every((part) => onlyComputes(part, isNumeric));
  if (expression === undefined) return true;
  switch (expression.type) {
    case "ArithmeticBinary":
      return all(expression.left, expression.right);
    case "ArithmeticUnary":
      return all(expression.operand);
    case "ArithmeticTernary":
      return all(expression.test, expression.consequent, expression.alternate);
    case "ArithmeticGroup":
      return all(expression.expression);
    case "ArithmeticWord":
      return isSafeOperand(expression.value, isNumeric);
    case "ArithmeticCommandExpansion":
      return false;
    default:
      return expression satisfies never;
  }
}

function isSafeOperand(written: string, isNumeric: (variable: string) => boolean): boolean {
  if (isNumber(written) || /^\d+#[\da-zA-Z]+$/.test(written)) return true;
  const name = /^(?:\$?([A-Za-z_]\w*)|\$\{#?([A-Za-z_]\w*)\})$/.exec(written);
  const variable = name?.[1] ?? name?.[2];
  if (written.startsWith("${#") && variable !== undefined) return true; // a length
  if (variable === undefined) return /^\$[#?]$/.test(written);
  return isNumeric(variable);
}
