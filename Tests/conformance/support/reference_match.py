"""Matching by trying all alignments, for fuzzy and negated terms and short texts."""

from __future__ import annotations

from itertools import combinations
from typing import Any, Dict, Optional, Tuple

from reference_views import MISSING, fold, is_number, member


def bonus(text: str, at: int) -> int:
    letter, before = text[at], text[at - 1] if at else " "
    if before.isspace() or letter.isspace():
        return 10
    if before in "/,:;|":
        return 9
    if not before.isalnum() or not letter.isalnum():
        return 8
    if letter.isupper() and before.islower() or letter.isdigit() and not before.isdigit():
        return 7
    return 0


def worth(text: str, positions: Tuple[int, ...]) -> int:
    """The score of one alignment."""
    total, carry = 0, 4
    for k, at in enumerate(positions):
        own = bonus(text, at)
        counted = own
        if k and at == positions[k - 1] + 1:
            counted = max(own, carry)
        else:
            carry = 4
            if k:
                total -= 3 + (at - positions[k - 1] - 2)
        carry = max(carry, 8 if own in (7, 8) else 9 if own > 8 else 4)
        total += 16 + counted + (own if k == 0 else 0)
    return total


def best(term: str, text: str) -> Optional[int]:
    """The score of a fuzzy term, None if it does not match."""
    is_exact = any(letter.isupper() for letter in term)
    plain = text if is_exact else "".join(map(fold, text))
    wanted = term if is_exact else "".join(map(fold, term))
    found = [
        worth(text, positions)
        for positions in combinations(range(len(text)), len(wanted))
        if all(plain[at] == letter for at, letter in zip(positions, wanted))
    ]
    return max(found, default=None)


def text_of(item: Any, name: str) -> str:
    value = member(item, name)
    if isinstance(value, str):
        return value
    return str(value) if value is not MISSING and is_number(value) else ""


def matched(item: Any, match: Dict[str, Any]) -> Optional[Tuple[int, int]]:
    """The score and the length of an item, None if it does not match."""
    texts = [text_of(item, name) for name in match.get("members", ["text"])]
    score, hit = 0, set()
    for term in match["query"].split():
        if term.startswith("!"):
            wanted = term[1:]
            is_exact = any(letter.isupper() for letter in wanted)
            plain = texts if is_exact else ["".join(map(fold, text)) for text in texts]
            wanted = wanted if is_exact else "".join(map(fold, wanted))
            if any(wanted in text for text in plain):
                return None
            continue
        scores = [best(term, text) for text in texts]
        found = max((one for one in scores if one is not None), default=None)
        if found is None:
            return None
        score += found
        hit.add(scores.index(found))
    return score, sum(len(texts[k]) for k in hit)
