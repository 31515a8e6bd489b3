import rules from "./rules.json" with { type: "json" };

interface Message {
  role: string;
  text: string;
}

interface Finding {
  rule: string;
  count: number;
}

/** Blots out what looks private in outgoing messages, and says how often it did. */
export default function filterText(input: { messages: Message[] }) {
  const counts = new Map<string, number>();
  const messages = input.messages.map(
    (message): Message => ({ ...message, text: filter(message.text, counts) }),
  );
  const findings = [...counts].map(([rule, count]): Finding => ({ rule, count }));
  return { messages, findings: findings.sort((a, b) => a.rule.localeCompare(b.rule)) };
}

function filter(text: string, counts: Map<string, number>): string {
  let result = text;
  for (const { name, pattern, flags } of rules as { name: string; pattern: string; flags: string }[]) {
    result = result.replace(new RegExp(pattern, flags), (found: string) => {
      if (name === "card" && !hasCheckDigit(found)) return found;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return `[${name}]`;
    });
  }
  return result;
}

/** Luhn's: the last digit of a card's number follows from the others. */
function hasCheckDigit(text: string): boolean {
  const digits = text.replaceAll(/\D/g, "");
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]) * (index % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}
