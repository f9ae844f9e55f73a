#!/usr/bin/env python3
"""Moves classes between packages, as `rename.rows` says in MOVES: old package -> {new package: [classes]}.

Tests go with the class that they are named after. Imports are put right; what must become public, the compiler tells
(`--public LOG` reads its errors and does it).
"""
import re
import subprocess
import sys
from pathlib import Path

WORD = re.compile(r'[A-Za-z_][A-Za-z0-9_]*')
TEST_END = re.compile(r'(ModelTest|SimulationTest|CrashTest|FormatTest|Test)$')


def sources():
    return [Path(p) for p in subprocess.check_output(['git', 'ls-files', '*.java'], text=True).splitlines() if Path(p).exists()]


def package_of(text):
    return re.search(r'^package ([\w.]+);', text, re.M).group(1)


def move(moves):
    """moves: {old fully qualified name: new package}"""
    files = sources()
    texts = {p: p.read_text() for p in files}
    package = {p: package_of(t) for p, t in texts.items()}
    new_package = {}
    for p in files:
        name = f'{package[p]}.{p.stem}'
        subject = f'{package[p]}.{TEST_END.sub("", p.stem)}'
        new_package[p] = moves.get(name) or (moves.get(subject) if '/src/test/' in str(p) else None) or package[p]
    by_package = {}
    for p in files:
        by_package.setdefault(package[p], {})[p.stem] = p
    for p in files:
        text, old, new = texts[p], package[p], new_package[p]
        words = set(WORD.findall(text))
        imports = {}
        for m in re.finditer(r'^import (static )?([\w.]+);\n', text, re.M):
            imports[m.group(0)] = m
        # Every class of the project that this file names by its simple name, and where it is going to be.
        lines = set()
        for line, m in imports.items():
            parts = m.group(2).split('.')
            for cut in range(len(parts), 0, -1):
                q, simple = '.'.join(parts[:cut - 1]), parts[cut - 1]
                target = by_package.get(q, {}).get(simple)
                if target is not None:
                    moved = new_package[target]
                    if moved != q:
                        line = line.replace(f'{q}.{simple}', f'{moved}.{simple}')
                    if not m.group(1) and cut == len(parts) and moved == new:
                        line = None
                    break
            if line:
                lines.add(line)
        for simple, target in by_package[old].items():
            if simple in words and target != p and new_package[target] != new and simple != 'package-info':
                if not any(line.endswith(f'.{simple};\n') for line in lines):
                    lines.add(f'import {new_package[target]}.{simple};\n')
        body = re.sub(r'^import (static )?[\w.]+;\n', '', text, flags=re.M)
        body = re.sub(r'^package [\w.]+;\n+', '', body, flags=re.M) if p.stem != 'package-info' else body
        if p.stem == 'package-info':
            continue
        statics = sorted(x for x in lines if x.startswith('import static'))
        plain = sorted(x for x in lines if not x.startswith('import static'))
        head = text[:text.index('package ')]
        body = body[len(head):] if head and body.startswith(head) else body
        out = f'{head}package {new};\n\n' + ''.join(statics) + ('\n' if statics and plain else '') + ''.join(plain)
        out += ('\n' if lines else '') + body.lstrip('\n')
        if out != text:
            p.write_text(out)
        if new != old:
            root = str(p)[:-len(old.replace('.', '/') + '/' + p.name)]
            to = Path(root + new.replace('.', '/') + '/' + p.name)
            to.parent.mkdir(parents=True, exist_ok=True)
            subprocess.check_call(['git', 'mv', str(p), str(to)])


def make_public(log):
    done = set()
    text = re.sub(r'\x1b\[[0-9;]*m', '', Path(log).read_text())
    classes = {}
    for p in sources():
        classes.setdefault(p.stem, []).append(p)

    def edit(simple, member, package=None):
        if (simple, member) in done:
            return
        done.add((simple, member))
        for p in classes.get(simple.split('.')[0], []):
            if package and package_of(p.read_text()) != package:
                continue
            body = p.read_text()
            if member is None:
                new = re.sub(r'^((?:@\w+\n)*)((?:abstract |final |sealed |non-sealed )*(?:class|interface|record|enum|@interface) '
                             + simple.split('.')[-1] + r'\b)', r'\1public \2', body, flags=re.M)
                if new == body:
                    new = re.sub(r'^(\s+)((?:static |abstract |final )*(?:class|interface|record|enum) '
                                 + simple.split('.')[-1] + r'\b)', r'\1public \2', body, flags=re.M)
            else:
                new = re.sub(r'^(    |        (?=.*\{$))((?:static |final |synchronized |abstract |native )*(?:<[^>]+> )?(?! |return|throw|new |else)[\w.<>\[\], ?]+ '
                             + member + r'(?: =|;|\())', lambda m: m.group(0) if re.match(r'\s*(return|throw|new|private|public|protected|else|assert|case)\b', m.group(0))
                             else m.group(1) + 'public ' + m.group(2), body, flags=re.M)
                if member == simple.split('.')[-1]:
                    new = re.sub(r'^(    )(' + member + r'\()(?=.*\{$|.*,$|$)', r'\1public \2', new, flags=re.M)
            if new != body:
                p.write_text(new)
                print('public', simple, member or '')
            else:
                print('NOT', simple, member, p)

    for m in re.finditer(r'(\S+\.java):\[\d+,\d+\] ([\w.]+)(?:\([^\n]*?\))?(?:<[^>]*>)? is not public in ([\w.]+)', text):
        what, where = m.group(2), m.group(3)
        simple = where.split('.')[-1]
        if where[:1].islower() and re.search(r'\.[A-Z]', where):
            q = where.split('.')
            i = next(i for i, x in enumerate(q) if x[:1].isupper())
            outer = q[i]
            if what.split('.')[-1][:1].isupper() and what.split('.')[-1] != q[-1]:
                edit_nested(outer, what.split('.')[-1], classes)
            else:
                edit(outer, what.split('.')[-1], '.'.join(q[:i]))
        else:
            edit(what.split('.')[-1], None, where)

    for m in re.finditer(r'(?:method|constructor) (\w+) in (?:class|record|interface) ([\w.]+)(?:<\S+>)? cannot be applied', text):
        edit(m.group(2).split('.')[-1], m.group(1))
    for m in re.finditer(r'symbol: +(?:method|variable) (\w+)[^\n]*\n[^\n]*location: +(?:class|interface|variable \w+ of type) ([\w.]+)', text):
        edit(m.group(2).split('.')[-1], m.group(1))


def edit_nested(outer, nested, classes):
    for p in classes.get(outer, []):
        body = p.read_text()
        new = re.sub(r'^(    +)((?:static |abstract |final )*(?:class|interface|record|enum) ' + nested + r'\b)', r'\1public \2', body, flags=re.M)
        new = re.sub(r'^(    )((?:static |final )*(?!return)[\w<>\[\]]+ ' + nested + r'(?: =|;))', r'\1public \2', new, flags=re.M)
        if new != body:
            p.write_text(new)
            print('public', outer, nested)


if __name__ == '__main__':
    if sys.argv[1] == '--public':
        make_public(sys.argv[2])
    else:
        table = {}
        exec(Path(sys.argv[1]).read_text())
        move(table)
