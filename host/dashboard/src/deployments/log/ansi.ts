/** Reads the colours that build tools write, and drops every other control sequence. */

/** A run of characters that look alike. Colours are 0 to 15, as terminals number them. */
export interface Span {
  text: string;
  colour: number | null;
  bold: boolean;
  dim: boolean;
}

export interface Style {
  colour: number | null;
  bold: boolean;
  dim: boolean;
}

export const PLAIN: Style = { colour: null, bold: false, dim: false };

// ESC [ … letter (styles and cursor), ESC ] … BEL or ESC \ (titles and links), two-character escapes, other control characters but tab.
// eslint-disable-next-line no-control-regex
const SEQUENCE = /\u001b\[([0-9;:?]*)[ -/]*([@-~])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[@-Z\\^_]|[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** The spans of one line, and the style that the next line begins with. */
export function readLine(line: string, before: Style = PLAIN): { spans: Span[]; after: Style } {
  // What a progress bar wrote over with a carriage return was never meant to stay.
  const shown = line.slice(line.replace(/\r+$/, '').lastIndexOf('\r') + 1);
  const spans: Span[] = [];
  let style = before;
  let from = 0;
  const add = (text: string): void => {
    if (text !== '') spans.push({ text, ...style });
  };
  for (const match of shown.matchAll(SEQUENCE)) {
    add(shown.slice(from, match.index));
    from = match.index + match[0].length;
    if (match[2] === 'm') style = styled(style, match[1] ?? '');
  }
  add(shown.slice(from));
  return { spans, after: style };
}

function styled(before: Style, codes: string): Style {
  const numbers = codes.split(/[;:]/).map((code) => (code === '' ? 0 : Number(code)));
  let style = before;
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at] ?? 0;
    if (code === 0) style = PLAIN;
    else if (code === 1) style = { ...style, bold: true };
    else if (code === 2) style = { ...style, dim: true };
    else if (code === 22) style = { ...style, bold: false, dim: false };
    else if (code >= 30 && code <= 37) style = { ...style, colour: code - 30 };
    else if (code >= 90 && code <= 97) style = { ...style, colour: code - 82 };
    else if (code === 39) style = { ...style, colour: null };
    else if (code === 38 || code === 48) {
      // 38;5;N is one of 256 colours, 38;2;R;G;B any: only the first sixteen have a name here.
      const is256 = numbers[at + 1] === 5;
      const colour = numbers[at + 2] ?? 0;
      if (code === 38) style = { ...style, colour: is256 && colour < 16 ? colour : null };
      at += is256 ? 2 : 4;
    }
  }
  return style;
}
