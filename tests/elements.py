"""The elements of a picture in SVG."""

from __future__ import annotations

from xml.etree import ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"


def tree(picture: str) -> ET.Element:
    return ET.fromstring(picture)


def drawn(picture: str | ET.Element, name: str, tag: str = "*") -> list[ET.Element]:
    """The elements of a class."""
    root = tree(picture) if isinstance(picture, str) else picture
    elements = root.iter() if tag == "*" else root.iter(f"{SVG}{tag}")
    return [element for element in elements if name in element.get("class", "").split()]
