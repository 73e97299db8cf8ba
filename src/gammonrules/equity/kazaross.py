"""The match equity table of Neil Kazaross, the default of GNU Backgammon and of eXtreme Gammon.

The numbers are those of the file Kazaross-XG2.xml of GNU Backgammon, which has this notice:

    Copyright (C) 2011 Neil Kazaross

    Table rolled up to 9 point match by eXtreme Gammon. Then uses
    R/K MET which was rolled up to 15 and extrapolated to 25 points

    Transcribed for use by GNUbg by Michael Petch  <mpetch@capp-sysware.com>

    This file is distributed as a part of the GNU Backgammon program.

    Copying and distribution of this file, with or without modification,
    are permitted in any medium without royalty provided the copyright
    notice and this notice are preserved.  This file is offered as-is,
    without any warranty.
"""

from __future__ import annotations

from typing import Final

LONGEST: Final = 25
"""The most points away in the table."""

_MILLION = 1_000_000

# In millionths. A player who is 1 away against 2, 3, ... 25 away; then one who is 2 away against 3, 4, ... 25 away;
# and so on. The other half of the table follows, since the chances of both players add up to 1.
_BEFORE_CRAWFORD = """
677360 750760 814360 841790 887310 907240 932500 944020 959275 966442 975534 979845 985273 987893 991140 992730
994670 995630 996790 997370 998070 998420 998840 999050
599470 668700 743590 799400 842250 875390 901970 923034 939311 952470 962495 970701 976887 981960 985800 988930
991290 993220 994660 995850 996750 997460 998020
571500 647950 711230 762090 804680 840170 870638 894417 914831 930702 944426 954931 963990 970930 976870 981390
985220 988140 990620 992480 994070 995270
577320 642850 699240 745770 787990 824059 853955 879141 900233 918040 932657 944950 954990 963410 970210 975890
980440 984220 987260 989750 991740
566350 626380 677860 725400 767055 802732 833654 859934 882866 902013 918470 932230 943970 953670 961890 968640
974320 978960 982830 986000
562610 616360 667870 713057 753427 788634 819569 846648 869999 890210 907560 922460 935080 945830 954880 962540
968940 974320 978790
554800 608540 656283 700209 739054 774121 805203 832566 856590 877610 895910 911710 925350 937020 947030 955530
962760 968870
554420 603718 649899 691356 729447 763593 794397 821580 845780 867140 885890 902300 916580 928980 939680 948910
956820
550196 597926 641481 682119 718927 752814 783010 810370 834830 856620 875910 892940 907910 920980 932400 942300
548547 593459 635880 674830 711113 743710 773750 800930 825430 847410 867030 884480 899910 913530 925500
545552 589242 629736 667927 703030 735300 764940 791980 816480 838620 858490 876290 892140 906220
544068 585701 625259 661780 696100 727780 757030 783810 808260 830440 850510 868560 884760
541943 582545 620360 656190 689660 720810 749630 776190 800540 822760 842950 861230
540750 579420 616340 651170 683910 714480 742900 769170 793390 815590 835860
539160 576790 612610 646590 678590 708620 736640 762650 786690 808830
537960 574410 609290 642410 673760 703230 730840 756570 780460
536760 572220 606180 638560 669250 698220 725420 750870
535740 570230 603360 635010 665100 693560 720380
534750 568380 600730 631710 661220 689210
533870 566670 598300 628640 657600
533030 565080 596030 625760
532260 563600 593910
531530 562210
530860
"""

# In millionths: the chance of a player who is 1, 2, ... 25 away against an opponent who is 1 away.
_AFTER_CRAWFORD = """
500000 488030 322640 310020 190120 180720 115590 109060 069530 065161 042069 039060 025371 023428 015304 014050
009240 008420 005560 005050 003360 003030 002030 001820 001230
"""


def _before_crawford() -> dict[tuple[int, int], float]:
    """The chance of a player, by the points that they and their opponent are away."""
    numbers = map(int, _BEFORE_CRAWFORD.split())
    table = {(away, away): 0.5 for away in range(1, LONGEST + 1)}
    for away in range(1, LONGEST):
        for other in range(away + 1, LONGEST + 1):
            number = next(numbers)
            table[away, other], table[other, away] = number / _MILLION, (_MILLION - number) / _MILLION
    return table


BEFORE_CRAWFORD: Final = _before_crawford()
"""The chance of winning the match, by the points that the player and the opponent are away. If one of them is 1 away,
the next game is the Crawford game."""

AFTER_CRAWFORD: Final = {away: int(number) / _MILLION for away, number in enumerate(_AFTER_CRAWFORD.split(), start=1)}
"""The same after the Crawford game, for a player whose opponent is 1 away."""
