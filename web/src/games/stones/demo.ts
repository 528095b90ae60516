import type { DemoStep, Seat } from '../../board/contract';

/** The beginning of a game: who did what, what it showed, and what a spectator sees then. */
const GAME: readonly (readonly [Seat, string, string, string])[] = [
  [
    'first',
    '4@G2r1',
    '',
    '4 place skips:0 bonus:0 YYRVi=1 GGVRi=1 RYVBb@G7r3 RGYBb@G2r1 BBRVi=2 RRGYi=2 RVGBb@A7r2 RYBGb=2 RVBYb=1 RVYGb=2 YVGBb=1 RYBVb=2',
  ],
  [
    'second',
    '10@D4r0',
    '',
    '5 place skips:0 bonus:0 YYRVi=1 GGVRi=1 RYVBb@G7r3 RGYBb@G2r1 BBRVi=2 RRGYi=2 RVGBb@A7r2 RYBGb=2 RVBYb=1 RVYGb@D4r0 YVGBb=1 RYBVb=2 RBVGb=1',
  ],
  [
    'first',
    '11@E2r0',
    '',
    '6 place skips:0 bonus:0 YYRVi=1 GGVRi=1 RYVBb@G7r3 RGYBb@G2r1 BBRVi=2 RRGYi=2 RVGBb@A7r2 RYBGb=2 RVBYb=1 RVYGb@D4r0 YVGBb@E2r0 RYBVb=2 RBVGb=1 RVYBb=2',
  ],
  [
    'second',
    '12@A3r1',
    '',
    '7 place skips:0 bonus:0 YYRVi=1 GGVRi=1 RYVBb@G7r3 RGYBb@G2r1 BBRVi=2 RRGYi=2 RVGBb@A7r2 RYBGb=2 RVBYb=1 RVYGb@D4r0 YVGBb@E2r0 RYBVb@A3r1 RBVGb=1 RVYBb=2 RYVBb=1',
  ],
  [
    'first',
    '9@E6r0',
    '',
    '8 place skips:0 bonus:0 YYRVi=1 GGVRi=1 RYVBb@G7r3 RGYBb@G2r1 BBRVi=2 RRGYi=2 RVGBb@A7r2 RYBGb=2 RVBYb@E6r0 RVYGb@D4r0 YVGBb@E2r0 RYBVb@A3r1 RBVGb=1 RVYBb=2 RYVBb=1 RGVBb=2',
  ],
  [
    'second',
    '6@C2r1',
    '',
    '8 three:6.10 skips:0 bonus:0 YYRVi=1 GGVRi=1 RYVBb@G7r3 RGYBb@G2r1 BBRVi=2 RRGYi@C2r1 RVGBb@A7r2 RYBGb=2 RVBYb@E6r0 RVYGb@D4r0 YVGBb@E2r0 RYBVb@A3r1 RBVGb=1 RVYBb=2 RYVBb=1 RGVBb=2',
  ],
  [
    'second',
    'take 6',
    '',
    '9 place skips:0 bonus:0 YYRVi=1 GGVRi=1 RYVBb@G7r3 RGYBb@G2r1 BBRVi=2 RRGY+2 RVGBb@A7r2 RYBGb=2 RVBYb@E6r0 RVYGb@D4r0 YVGBb@E2r0 RYBVb@A3r1 RBVGb=1 RVYBb=2 RYVBb=1 RGVBb=2 YGBVb=1',
  ],
  [
    'first',
    '1@F4r0',
    '',
    '9 three:1.4 skips:0 bonus:0 YYRVi@F4r0 GGVRi=1 RYVBb@G7r3 RGYBb@G2r1 BBRVi=2 RRGY+2 RVGBb@A7r2 RYBGb=2 RVBYb@E6r0 RVYGb@D4r0 YVGBb@E2r0 RYBVb@A3r1 RBVGb=1 RVYBb=2 RYVBb=1 RGVBb=2 YGBVb=1',
  ],
  [
    'first',
    'take 4',
    '',
    '10 place skips:0 bonus:0 YYRVi@F4r0 GGVRi=1 RYVBb@G7r3 RGYB+1 BBRVi=2 RRGY+2 RVGBb@A7r2 RYBGb=2 RVBYb@E6r0 RVYGb@D4r0 YVGBb@E2r0 RYBVb@A3r1 RBVGb=1 RVYBb=2 RYVBb=1 RGVBb=2 YGBVb=1 RBYVb=2',
  ],
  [
    'second',
    '8@G2r2',
    '',
    '10 three:1.8 skips:0 bonus:0 YYRVi@F4r0 GGVRi=1 RYVBb@G7r3 RGYB+1 BBRVi=2 RRGY+2 RVGBb@A7r2 RYBGb@G2r2 RVBYb@E6r0 RVYGb@D4r0 YVGBb@E2r0 RYBVb@A3r1 RBVGb=1 RVYBb=2 RYVBb=1 RGVBb=2 YGBVb=1 RBYVb=2',
  ],
  [
    'second',
    'take 1',
    '',
    '11 place skips:0 bonus:0 YYRV+2 GGVRi=1 RYVBb@G7r3 RGYB+1 BBRVi=2 RRGY+2 RVGBb@A7r2 RYBGb@G2r2 RVBYb@E6r0 RVYGb@D4r0 YVGBb@E2r0 RYBVb@A3r1 RBVGb=1 RVYBb=2 RYVBb=1 RGVBb=2 YGBVb=1 RBYVb=2 BBGVb=1',
  ],
  [
    'first',
    '13@B1r3',
    '',
    '12 place skips:0 bonus:0 YYRV+2 GGVRi=1 RYVBb@G7r3 RGYB+1 BBRVi=2 RRGY+2 RVGBb@A7r2 RYBGb@G2r2 RVBYb@E6r0 RVYGb@D4r0 YVGBb@E2r0 RYBVb@A3r1 RBVGb@B1r3 RVYBb=2 RYVBb=1 RGVBb=2 YGBVb=1 RBYVb=2 BBGVb=1 RBVYb=2',
  ],
  [
    'second',
    '14@C6r0',
    '',
    '13 place skips:0 bonus:0 YYRV+2 GGVRi=1 RYVBb@G7r3 RGYB+1 BBRVi=2 RRGY+2 RVGBb@A7r2 RYBGb@G2r2 RVBYb@E6r0 RVYGb@D4r0 YVGBb@E2r0 RYBVb@A3r1 RBVGb@B1r3 RVYBb@C6r0 RYVBb=1 RGVBb=2 YGBVb=1 RBYVb=2 BBGVb=1 RBVYb=2 RVBGb=1',
  ],
  [
    'first',
    '15@A5r3',
    '',
    '13 three:7.14.15 skips:0 bonus:0 YYRV+2 GGVRi=1 RYVBb@G7r3 RGYB+1 BBRVi=2 RRGY+2 RVGBb@A7r2 RYBGb@G2r2 RVBYb@E6r0 RVYGb@D4r0 YVGBb@E2r0 RYBVb@A3r1 RBVGb@B1r3 RVYBb@C6r0 RYVBb@A5r3 RGVBb=2 YGBVb=1 RBYVb=2 BBGVb=1 RBVYb=2 RVBGb=1',
  ],
  [
    'first',
    'take 7',
    '',
    '14 place skips:0 bonus:0 YYRV+2 GGVRi=1 RYVBb@G7r3 RGYB+1 BBRVi=2 RRGY+2 RVGB+1 RYBGb@G2r2 RVBYb@E6r0 RVYGb@D4r0 YVGBb@E2r0 RYBVb@A3r1 RBVGb@B1r3 RVYBb@C6r0 RYVBb@A5r3 RGVBb=2 YGBVb=1 RBYVb=2 BBGVb=1 RBVYb=2 RVBGb=1 RGBVb=2',
  ],
  [
    'second',
    '5@A7r0',
    '',
    '14 four:5.14.15 skips:0 bonus:0 YYRV+2 GGVRi=1 RYVB?2b@G7r3 RGYB+1 BBRVi@A7r0 RRGY+2 RVGB+1 RYBGb@G2r2 RVBYb@E6r0 RVYGb@D4r0 YVGBb@E2r0 RYBVb@A3r1 RBVGb@B1r3 RVYB?2b@C6r0 RYVB?2b@A5r3 RGVBb=2 YGBVb=1 RBYVb=2 BBGVb=1 RBVYb=2 RVBGb=1 RGBVb=2',
  ],
  [
    'second',
    'take 15',
    '',
    '14 keep:5.14 skips:0 bonus:0 YYRV+2 GGVRi=1 RYVB?2b@G7r3 RGYB+1 BBRVi@A7r0 RRGY+2 RVGB+1 RYBGb@G2r2 RVBYb@E6r0 RVYGb@D4r0 YVGBb@E2r0 RYBVb@A3r1 RBVGb@B1r3 RVYB?2b@C6r0 RYVB?2+2 RGVBb=2 YGBVb=1 RBYVb=2 BBGVb=1 RBVYb=2 RVBGb=1 RGBVb=2',
  ],
  [
    'second',
    'keep 5i',
    'BBRV',
    '14 more skips:0 bonus:1 YYRV+2 GGVRi=1 RYVB?2b@G7r3 RGYB+1 BBRVi=2 RRGY+2 RVGB+1 RYBGb@G2r2 RVBYb@E6r0 RVYGb@D4r0 YVGBb@E2r0 RYBVb@A3r1 RBVGb@B1r3 RVYB?2b@C6r0 RYVB?2+2 RGVBb=2 YGBVb=1 RBYVb=2 BBGVb=1 RBVYb=2 RVBGb=1 RGBVb=2',
  ],
  [
    'second',
    '22@A5r0',
    '',
    '15 place skips:0 bonus:0 YYRV+2 GGVRi=1 RYVB?2b@G7r3 RGYB+1 BBRVi=2 RRGY+2 RVGB+1 RYBGb@G2r2 RVBYb@E6r0 RVYGb@D4r0 YVGBb@E2r0 RYBVb@A3r1 RBVGb@B1r3 RVYB?2b@C6r0 RYVB?2+2 RGVBb=2 YGBVb=1 RBYVb=2 BBGVb=1 RBVYb=2 RVBGb=1 RGBVb@A5r0 RVGYb=1',
  ],
  [
    'first',
    '17@A7r3',
    '',
    '15 three:14.17.22 skips:0 bonus:0 YYRV+2 GGVRi=1 RYVB?2b@G7r3 RGYB+1 BBRVi=2 RRGY+2 RVGB+1 RYBGb@G2r2 RVBYb@E6r0 RVYGb@D4r0 YVGBb@E2r0 RYBVb@A3r1 RBVGb@B1r3 RVYB?2b@C6r0 RYVB?2+2 RGVBb=2 YGBVb@A7r3 RBYVb=2 BBGVb=1 RBVYb=2 RVBGb=1 RGBVb@A5r0 RVGYb=1',
  ],
  [
    'first',
    'take 14',
    '',
    '16 place skips:0 bonus:0 YYRV+2 GGVRi=1 RYVB?2b@G7r3 RGYB+1 BBRVi=2 RRGY+2 RVGB+1 RYBGb@G2r2 RVBYb@E6r0 RVYGb@D4r0 YVGBb@E2r0 RYBVb@A3r1 RBVGb@B1r3 RVYB?2+1 RYVB?2+2 RGVBb=2 YGBVb@A7r3 RBYVb=2 BBGVb=1 RBVYb=2 RVBGb=1 RGBVb@A5r0 RVGYb=1 RVBYb=2',
  ],
  [
    'second',
    '24@C6r1',
    '',
    '16 three:17.22.24 skips:0 bonus:0 YYRV+2 GGVRi=1 RYVB?2b@G7r3 RGYB+1 BBRVi=2 RRGY+2 RVGB+1 RYBGb@G2r2 RVBYb@E6r0 RVYGb@D4r0 YVGBb@E2r0 RYBVb@A3r1 RBVGb@B1r3 RVYB?2+1 RYVB?2+2 RGVBb=2 YGBVb@A7r3 RBYVb=2 BBGVb=1 RBVYb=2 RVBGb=1 RGBVb@A5r0 RVGYb=1 RVBYb@C6r1',
  ],
  [
    'second',
    'take 22',
    '',
    '17 place skips:0 bonus:0 YYRV+2 GGVRi=1 RYVB?2b@G7r3 RGYB+1 BBRVi=2 RRGY+2 RVGB+1 RYBGb@G2r2 RVBYb@E6r0 RVYGb@D4r0 YVGBb@E2r0 RYBVb@A3r1 RBVGb@B1r3 RVYB?2+1 RYVB?2+2 RGVBb=2 YGBVb@A7r3 RBYVb=2 BBGVb=1 RBVYb=2 RVBGb=1 RGBV+2 RVGYb=1 RVBYb@C6r1 RGVYb=1',
  ],
  [
    'first',
    '19@A5r1',
    '',
    '17 three:17.19.24 skips:0 bonus:0 YYRV+2 GGVRi=1 RYVB?2b@G7r3 RGYB+1 BBRVi=2 RRGY+2 RVGB+1 RYBGb@G2r2 RVBYb@E6r0 RVYGb@D4r0 YVGBb@E2r0 RYBVb@A3r1 RBVGb@B1r3 RVYB?2+1 RYVB?2+2 RGVBb=2 YGBVb@A7r3 RBYVb=2 BBGVb@A5r1 RBVYb=2 RVBGb=1 RGBV+2 RVGYb=1 RVBYb@C6r1 RGVYb=1',
  ],
];

export const demo: readonly DemoStep[] = GAME.map(([by, text, remark, view]) => ({
  view: `spectator ${view}`,
  deed: { by, text, remark },
}));
