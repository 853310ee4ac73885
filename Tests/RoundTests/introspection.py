#!/usr/bin/python3
"""Prints what an introspection document from standard input declares, one line a member, without the standard interfaces."""
import sys
import xml.etree.ElementTree

node = xml.etree.ElementTree.fromstring(sys.stdin.read())
for interface in node.findall("interface"):
    if interface.get("name").startswith("org.freedesktop.DBus."):
        continue
    print("interface", interface.get("name"))
    for member in interface:
        if not isinstance(member.tag, str):
            continue
        words = [member.tag, member.get("name"), member.get("type", ""), member.get("access", "")]
        for part in member:
            if part.tag == "arg":
                default = "in" if member.tag == "method" else "out"
                words.append(f"{part.get('direction', default)} {part.get('name')}:{part.get('type')}")
            elif part.tag == "annotation":
                words.append(f"{part.get('name')}={part.get('value')}")
        print("  " + " ".join(word for word in words if word))
