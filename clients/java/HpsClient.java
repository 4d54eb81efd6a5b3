// A sample player of gravity in the protocol hps; copy it and change `choose`.
//
// Run: java HpsClient.java HOST PORT [NAME] [--size 1000] [--spacing 66]        (Java 17 or later)

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

public class HpsClient {
    static int size = 1000; // cells a side; hps does not send it
    static int spacing = 66; // least distance of two stones; hps does not send it
    static final int CANDIDATES = 100; // cells compared for one move
    static final int PROBES = 30; // the board is sampled at about PROBES x PROBES of its cells

    static final Random chance = new Random();

    record Cell(int row, int col) {
        double squaredTo(int otherRow, int otherCol) {
            double rows = row - otherRow, cols = col - otherCol;
            return rows * rows + cols * cols;
        }
    }

    /** One game: where a stone may still go, and how hard each player pulls at the probes. */
    static class Board {
        final boolean[][] isTaken = new boolean[size][size]; // too near to a stone, by row and column
        final List<Cell> probes = new ArrayList<>();
        final double[][] pulls; // by player and probe
        final int[] stonesOf;
        final Set<Cell> stones = new HashSet<>();

        Board(int players) {
            int step = Math.max(1, size / PROBES);
            for (int row = step / 2; row < size; row += step)
                for (int col = step / 2; col < size; col += step) probes.add(new Cell(row, col));
            pulls = new double[players][probes.size()];
            stonesOf = new int[players];
        }

        /** How hard a stone pulls at a probe: weight / distance^2. */
        double pull(Cell stone, int weight, int probe) {
            Cell at = probes.get(probe);
            return weight / Math.max(1e-9, stone.squaredTo(at.row, at.col));
        }

        /** Puts a stone on the board, unless it is there already. */
        void place(Cell stone, int weight, int player) {
            if (!stones.add(stone)) return;
            stonesOf[player]++;
            for (int i = 0; i < probes.size(); i++) pulls[player][i] += pull(stone, weight, i);
            for (int r = Math.max(0, stone.row - spacing + 1); r < Math.min(size, stone.row + spacing); r++)
                for (int c = Math.max(0, stone.col - spacing + 1); c < Math.min(size, stone.col + spacing); c++)
                    if (stone.squaredTo(r, c) < (double) spacing * spacing) isTaken[r][c] = true;
        }

        /** Draws some free cells at random; on a nearly full board, searches for one. */
        List<Cell> candidates() {
            List<Cell> found = new ArrayList<>();
            for (int draw = 0; draw < 10 * CANDIDATES && found.size() < CANDIDATES; draw++) {
                Cell cell = new Cell(chance.nextInt(size), chance.nextInt(size));
                if (!isTaken[cell.row][cell.col]) found.add(cell);
            }
            for (int row = 0; row < size && found.isEmpty(); row++)
                for (int col = 0; col < size && found.isEmpty(); col++)
                    if (!isTaken[row][col]) found.add(new Cell(row, col));
            return found;
        }

        /** The candidate that would win the most probes. THIS IS THE PART TO IMPROVE. */
        Cell choose(int me, int weight) {
            double[] rivals = new double[probes.size()];
            for (int player = 0; player < pulls.length; player++)
                for (int i = 0; player != me && i < rivals.length; i++)
                    rivals[i] = Math.max(rivals[i], pulls[player][i]);
            Cell best = new Cell(0, 0);
            int most = -1;
            for (Cell cell : candidates()) {
                int won = 0;
                for (int i = 0; i < rivals.length; i++)
                    if (pulls[me][i] + pull(cell, weight, i) > rivals[i]) won++;
                if (won > most) {
                    most = won;
                    best = cell;
                }
            }
            return best;
        }
    }

    /** Reads the numbers of the next line, null when the referee has closed the connection. */
    static int[] readNumbers(BufferedReader in) throws IOException {
        // A line may come in several packets, and several lines in one: readLine handles both.
        String line = in.readLine();
        if (line == null || line.isBlank()) return null;
        try {
            return Arrays.stream(line.trim().split("\\s+")).mapToInt(Integer::parseInt).toArray();
        } catch (NumberFormatException words) { // they are the referee's reason for closing
            System.err.println(line);
            System.exit(1);
            return null;
        }
    }

    /** Plays all games of the match, until the referee closes the connection. */
    static void play(Socket socket, String name) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        int[] line = readNumbers(in); // players, stones, [weight,] order
        if (line == null || line.length < 3) return;
        int players = line[0], stones = line[1], me = line[line.length - 1] - 1;
        boolean isWeighted = line.length == 4;
        say(socket, name);
        Board board = new Board(players);
        while ((line = readNumbers(in)) != null) { // flag, [weight left,] scores, then the new moves
            int at = isWeighted ? 2 : 1;
            if (line.length < at + players) return; // the connection was cut within a line
            if (line[0] == 1) { // the game is over; the next line belongs to a new one
                String scores = Arrays.toString(Arrays.copyOfRange(line, at, at + players));
                System.err.println(name + " was player " + (me + 1) + ", the scores are " + scores);
                board = new Board(players);
                continue;
            }
            int width = isWeighted ? 4 : 3; // row, column, [weight,] player, in order of play
            for (at += players; at + width <= line.length; at += width)
                board.place(new Cell(line[at], line[at + 1]), isWeighted ? line[at + 2] : 1, line[at + width - 1] - 1);
            int stonesLeft = Math.max(1, stones - board.stonesOf[me]);
            // an even share; all the rest on the last stone
            int weight = isWeighted ? Math.max(1, line[1] / stonesLeft) : 1;
            Cell move = board.choose(me, weight);
            say(socket, move.row + " " + move.col + (isWeighted ? " " + weight : ""));
            board.place(move, weight, me);
        }
    }

    /** Sends a line; its end is optional in hps, but faster. */
    static void say(Socket socket, String line) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    public static void main(String[] words) throws IOException {
        List<String> plain = new ArrayList<>();
        for (int i = 0; i < words.length; i++) {
            if (words[i].equals("--size") && i + 1 < words.length) size = Integer.parseInt(words[++i]);
            else if (words[i].equals("--spacing") && i + 1 < words.length) spacing = Integer.parseInt(words[++i]);
            else plain.add(words[i]);
        }
        if (plain.size() < 2 || plain.size() > 3) {
            System.err.println("usage: java HpsClient.java HOST PORT [NAME] [--size 1000] [--spacing 66]");
            System.exit(2);
        }
        try (Socket socket = new Socket(plain.get(0), Integer.parseInt(plain.get(1)))) {
            play(socket, plain.size() == 3 ? plain.get(2) : "sample");
        } catch (ConnectException | UnknownHostException error) {
            System.err.println("no referee at " + plain.get(0) + ":" + plain.get(1) + ": " + error.getMessage());
            System.exit(1);
        } catch (SocketException gone) {
            // the referee is gone: end quietly
        }
    }
}
