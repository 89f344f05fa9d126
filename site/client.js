/** Search and theme of the documentation site. A plain script: pages opened as local files may not load modules. */
(() => {
  const root = document.documentElement;
  const kept = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  const theme = kept('fencepost-theme');
  if (theme) root.dataset.theme = theme;

  addEventListener('DOMContentLoaded', () => {
    const isWide = matchMedia('(min-width: 60rem)');
    const menu = document.getElementById('menu');
    menu.open = isWide.matches;
    isWide.addEventListener('change', () => {
      menu.open = isWide.matches;
    });
    document.getElementById('theme').addEventListener('click', () => {
      const isDark = getComputedStyle(root).colorScheme === 'dark';
      root.dataset.theme = isDark ? 'light' : 'dark';
      try {
        localStorage.setItem('fencepost-theme', root.dataset.theme);
      } catch {
        // Then the choice is not kept.
      }
    });
    search(document.getElementById('search'), document.getElementById('found'));
  });

  /** Loads the index when the first search begins. */
  let loading;
  function pages() {
    loading ??= new Promise((resolve) => {
      const script = document.createElement('script');
      script.src = `${root.dataset.root}/search-index.js`;
      script.onload = () => resolve(window.fencepostPages);
      document.head.append(script);
    });
    return loading;
  }

  function search(input, list) {
    let chosen = -1;
    const show = async () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      const found = words.length === 0 ? [] : best(await pages(), words);
      list.replaceChildren(...found.map((entry) => item(entry, words)));
      if (words.length > 0 && found.length === 0) list.append(nothing());
      list.hidden = words.length === 0;
      input.setAttribute('aria-expanded', String(!list.hidden));
      chosen = -1;
    };
    const choose = (next) => {
      const links = [...list.querySelectorAll('a')];
      if (links.length === 0) return;
      chosen = (next + links.length) % links.length;
      for (const [i, link] of links.entries()) link.classList.toggle('chosen', i === chosen);
      links[chosen].scrollIntoView({ block: 'nearest' });
    };
    input.addEventListener('focus', pages);
    input.addEventListener('input', show);
    input.addEventListener('keydown', (event) => {
      if (event.key === 'ArrowDown') choose(chosen + 1);
      else if (event.key === 'ArrowUp') choose(chosen - 1);
      else if (event.key === 'Enter') list.querySelectorAll('a')[Math.max(chosen, 0)]?.click();
      else if (event.key === 'Escape') {
        input.value = '';
        void show();
        input.blur();
      } else return;
      event.preventDefault();
    });
    addEventListener('keydown', (event) => {
      if (event.key !== '/' || event.target === input || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      input.focus();
    });
    addEventListener('click', (event) => {
      if (!input.parentElement.contains(event.target)) list.hidden = true;
    });
  }

  /** Every word must occur; titles and headings count more than text, and words more than parts of words. */
  function best(entries, words) {
    const scored = [];
    const whole = words.map((word) => new RegExp(`(?<![\\w-])${escaped(word)}s?(?![\\w-])`, 'g'));
    for (const entry of entries) {
      const [page, heading, text] = [entry.page, entry.heading, entry.text].map((part) => part.toLowerCase());
      let score = 0;
      for (const [i, word] of words.entries()) {
        const weigh = (part, asWord, asPart) => (part.match(whole[i]) ? asWord : part.includes(word) ? asPart : 0);
        const value =
          weigh(heading, 8, 2) + weigh(page, 6, 1) + Math.min(4, text.match(whole[i])?.length ?? weigh(text, 0, 0.5));
        if (value === 0) {
          score = 0;
          break;
        }
        score += value;
      }
      if (text.includes(words.join(' '))) score *= 2;
      // Readers want to know how to use the tool more often than how it is built.
      if (/^(?:decisions|tables)\/|^changelog/.test(entry.address)) score /= 3;
      if (score > 0) scored.push([score, entry]);
    }
    return scored
      .sort((a, b) => b[0] - a[0])
      .slice(0, 12)
      .map(([, entry]) => entry);
  }

  function item(entry, words) {
    const link = element('a', '');
    link.href = `${root.dataset.root}/${entry.address}`;
    const title = entry.heading === '' ? entry.page : `${entry.page} › ${entry.heading}`;
    link.append(element('strong', title), ...marked(snippet(entry.text, words), words));
    const row = element('li', '');
    row.append(link);
    return row;
  }

  function snippet(text, words) {
    // Shows the place of the whole query, or else of its longest word.
    const wanted = [words.join(' '), ...[...words].sort((a, b) => b.length - a.length)];
    const at = text.toLowerCase().indexOf(wanted.find((part) => text.toLowerCase().includes(part)) ?? '');
    const from = Math.max(0, text.lastIndexOf(' ', Math.max(0, at - 40)));
    const space = text.lastIndexOf(' ', from + 150);
    const end = text.length <= from + 150 ? text.length : space > from ? space : from + 150;
    return `${from > 0 ? '… ' : ''}${text.slice(from, end)}${end < text.length ? ' …' : ''}`;
  }

  /** Marks the words of the query. */
  function marked(text, words) {
    const pattern = new RegExp(`(${words.map(escaped).join('|')})`, 'i');
    return text.split(pattern).map((part, i) => (i % 2 === 1 ? element('mark', part) : part));
  }

  function escaped(word) {
    return word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  }

  function nothing() {
    const row = element('li', 'Nothing found.');
    row.className = 'nothing';
    return row;
  }

  function element(name, text) {
    const made = document.createElement(name);
    made.textContent = text;
    return made;
  }
})();
