// Plays as the courses' clients do: what one read brings is one message. Ends when the connection does.

import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

public class Old {
    static int[] read(Socket socket) throws IOException {
        byte[] packet = new byte[4096];
        int length = socket.getInputStream().read(packet);
        if (length < 0) System.exit(0);
        return Arrays.stream(new String(packet, 0, length).trim().split("\\s+")).mapToInt(Integer::parseInt).toArray();
    }

    static int[] freeCell(int rows, int size, int spacing, List<int[]> taken, Random chance) {
        while (true) {
            int row = chance.nextInt(rows), col = chance.nextInt(size);
            if (taken.stream().allMatch(t -> (row - t[0]) * (row - t[0]) + (col - t[1]) * (col - t[1]) >= spacing * spacing))
                return new int[] {row, col};
        }
    }

    public static void main(String[] words) throws Exception {
        Socket socket = new Socket(words[0], Integer.parseInt(words[1]));
        int size = Integer.parseInt(words[2]), spacing = Integer.parseInt(words[3]);
        String manner = words[4], end = manner.equals("bare") ? "" : "\n";
        long nap = (long) (1000 * Double.parseDouble(words[5]));
        int[] first = read(socket);
        int players = first[0], stones = first[1], order = first[first.length - 1], extra = first.length - 3;
        socket.getOutputStream().write(("old " + manner + end).getBytes());
        Random chance = new Random(order);
        int rows = manner.equals("forgetful") ? size / 4 : size;
        List<int[]> taken = new ArrayList<>();
        int left = stones;
        while (true) {
            int[] line = read(socket);
            if (line[0] == 1 && manner.equals("once")) {  // as in October 2017, before a match had several games
                Thread.sleep(nap);
                return;
            }
            if (line[0] == 1) {
                taken.clear();
                left = stones;
                continue;
            }
            for (int at = 1 + extra + players; at + 3 + extra <= line.length; at += 3 + extra)
                taken.add(new int[] {line[at], line[at + 1]});
            int[] cell = freeCell(rows, size, spacing, taken, chance);
            if (!manner.equals("forgetful")) taken.add(cell);
            String answer = cell[0] + " " + cell[1];
            if (extra == 1) answer += manner.equals("zero") ? " 0" : " 1";
            if (manner.equals("extra")) answer += " " + order + " moves";
            socket.getOutputStream().write((answer + end).getBytes());
            if (--left == 0 && manner.equals("slow")) Thread.sleep(nap);
        }
    }
}
