#!/usr/bin/env python3
"""Renames words of the house, row by row, as the table below says.

  rename.py ROW...        does these rows: sources, pages, names of files
  rename.py --look ROW    prints what the row would change and where a new name meets one that is there
  rename.py --all         does all rows, so that a branch can be brought to the new words

A row is a list of rules. Each maps whole identifiers ("id") or parts of identifiers and words ("part": seal -> flush
makes sealBytes flushBytes, SEALS_MAX FLUSHES_MAX, isSealed isFlushed), in code, comments or both.
"""
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

PRODUCT = r'^(foundation|files|store|checkpoint|keyed|flink|dist|checks|testkit|bench/jmh)/'
STORE = r'^(store|bench/jmh/.*/store)/'
TOKEN = re.compile(r'[A-Za-z_][A-Za-z0-9_]*')
LEXER = re.compile(r'(?P<comment>/\*.*?\*/|//[^\n]*)|(?P<string>"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\])+\')',
                   re.S)
PARTS = re.compile(r'[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z]+[0-9]*|_+|[0-9]+')


def ids(scope=PRODUCT, **names):
    return {'kind': 'id', 'scope': scope, 'names': names}


def parts(names, scope=STORE, where='code comment string', never='^$', first=()):
    return {'kind': 'part', 'scope': scope, 'names': names, 'where': where.split(), 'never': re.compile(never),
            'first': [(re.compile(a), b) for a, b in first]}


ROWS = {}
exec((Path(__file__).parent / 'rename.rows').read_text())


def replace_parts(token, names):
    found = PARTS.findall(token)
    if ''.join(found) != token:
        return token
    out = []
    for part in found:
        low = part.lower()
        new = names.get(low)
        if new is None:
            out.append(part)
        elif part.isupper() and len(part) > 1:
            out.append(re.sub(r'(?<=[a-z])(?=[A-Z])', '_', new).upper())
        elif part[0].isupper():
            out.append(new[0].upper() + new[1:])
        else:
            out.append(new)
    return ''.join(out)


def new_token(token, rules, where):
    for rule in rules:
        if rule['kind'] == 'id':
            if token in rule['names']:
                return rule['names'][token]
            for end in ('Test', 'ModelTest', 'SimulationTest', 'CrashTest', 'FormatTest'):
                if token.endswith(end) and token[:-len(end)] in rule['names'] and token[0].isupper():
                    return rule['names'][token[:-len(end)]] + end
        elif where in rule['where'] and not rule['never'].search(token):
            token = replace_parts(token, rule['names'])
    return token


def change(text, rules, java, met):
    def sub(segment, where):
        for rule in rules:
            for pattern, by in rule.get('first', ()):
                if where in rule['where']:
                    segment = pattern.sub(by, segment)
        return TOKEN.sub(lambda m: note(m.group(), new_token(m.group(), rules, where)), segment)

    def note(old, new):
        if old != new:
            met[(old, new)] += 1
        return new

    if not java:
        return sub(text, 'string').replace('\u0001', '')
    out, at = [], 0
    for m in LEXER.finditer(text):
        out.append(sub(text[at:m.start()], 'code'))
        out.append(sub(m.group(), 'comment' if m.group('comment') else 'string'))
        at = m.end()
    out.append(sub(text[at:], 'code'))
    return ''.join(out).replace('\u0001', '')


def files():
    for name in subprocess.check_output(['git', 'ls-files'], text=True).splitlines():
        if name.endswith(('.java', '.md', '.txt', '.xml')) and Path(name).exists() and 'docs/results' not in name:
            yield name


def rules_for(row, name):
    rules = []
    for rule in ROWS[row]:
        if re.search(rule['scope'], name):
            rules.append(rule)
        elif name.endswith('.md') and rule['kind'] == 'id':
            rules.append({**rule, 'names': {a: b for a, b in rule['names'].items() if a[0].isupper()}})
    return rules


def do(row, look):
    total, meets, changed = Counter(), defaultdict(set), []
    for name in list(files()):
        rules = rules_for(row, name)
        if not rules:
            continue
        text, met = Path(name).read_text(), Counter()
        new = change(text, rules, name.endswith('.java'), met)
        before = set(TOKEN.findall(text))
        for (a, b), n in met.items():
            total[(a, b)] += n
            if b in before:
                meets[(a, b)].add(Path(name).name)
        stem = Path(name).stem
        target = new_token(stem, rules, 'code') if name.endswith('.java') else stem
        path = name
        if not look and new != text:
            Path(name).write_text(new)
        if target != stem:
            path = str(Path(name).with_name(target + Path(name).suffix))
            if look:
                print('file', name, '->', target)
            else:
                subprocess.check_call(['git', 'mv', name, path])
        if new != text or target != stem:
            changed.append(path)
    if look:
        print(' '.join(f'{a}>{b}:{n}' for (a, b), n in sorted(total.items(), key=lambda x: x[0][0].lower())))
        print('MEETS')
        for (a, b), where in sorted(meets.items()):
            print(' ', a, b, *sorted(where))
    else:
        print(row, len(changed), 'files')
        Path('/tmp/rename.changed').write_text(''.join(p + '\n' for p in changed if p.endswith('.java')))


if __name__ == '__main__':
    args = [a for a in sys.argv[1:] if not a.startswith('--')]
    for each in (list(ROWS) if '--all' in sys.argv else args):
        do(each, '--look' in sys.argv)
