// A sample player of gravity in the protocol hps; copy it and change `choose`.
//
// Compile: g++ -std=c++17 -O2 -o hps_client hps_client.cpp        (Linux, macOS; C++17 and POSIX sockets)
// Run:     ./hps_client HOST PORT [NAME] [--size 1000] [--spacing 66]

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

int SIZE = 1000;   // cells a side; hps does not send it
int SPACING = 66;  // least distance of two stones; hps does not send it
const int CANDIDATES = 300;  // cells compared for one move
const int PROBES = 40;       // the board is sampled at about PROBES x PROBES of its cells

using Numbers = std::vector<long long>;
using Cell = std::pair<int, int>;  // row, column
std::mt19937 chance{std::random_device{}()};

// One game: where a stone may still go, and how hard each player pulls at the probes.
struct Board {
    std::vector<std::vector<char>> is_free;  // by row and column
    std::vector<Cell> probes;
    std::vector<std::vector<double>> pulls;  // by player and probe
    std::set<Cell> stones;
    int own_stones = 0;

    explicit Board(int players) : is_free(SIZE, std::vector<char>(SIZE, 1)) {
        int step = std::max(1, SIZE / PROBES);
        for (int row = step / 2; row < SIZE; row += step)
            for (int col = step / 2; col < SIZE; col += step) probes.push_back({row, col});
        pulls.assign(players, std::vector<double>(probes.size(), 0.0));
    }

    static double squared(Cell a, Cell b) {
        double rows = a.first - b.first, cols = a.second - b.second;
        return rows * rows + cols * cols;
    }

    // How hard a stone pulls at a probe: weight / distance^2.
    static double pull(Cell stone, double weight, Cell probe) {
        return weight / std::max(1e-9, squared(stone, probe));
    }

    // Put a stone on the board, unless it is there already.
    void place(Cell stone, double weight, int player, int me) {
        if (!stones.insert(stone).second) return;
        if (player == me) own_stones++;
        for (size_t i = 0; i < probes.size(); i++) pulls[player][i] += pull(stone, weight, probes[i]);
        auto [row, col] = stone;
        for (int r = std::max(0, row - SPACING + 1); r < std::min(SIZE, row + SPACING); r++)
            for (int c = std::max(0, col - SPACING + 1); c < std::min(SIZE, col + SPACING); c++)
                if (squared(stone, {r, c}) < double(SPACING) * SPACING) is_free[r][c] = 0;
    }

    // Draw some free cells at random; on a nearly full board, search for one.
    std::vector<Cell> candidates() const {
        std::vector<Cell> found;
        std::uniform_int_distribution<int> any(0, SIZE - 1);
        for (int draw = 0; draw < 10 * CANDIDATES && (int)found.size() < CANDIDATES; draw++) {
            Cell cell{any(chance), any(chance)};
            if (is_free[cell.first][cell.second]) found.push_back(cell);
        }
        for (int row = 0; row < SIZE && found.empty(); row++)
            for (int col = 0; col < SIZE && found.empty(); col++)
                if (is_free[row][col]) found.push_back({row, col});
        return found;
    }

    // The candidate that would win the most probes. THIS IS THE PART TO IMPROVE.
    Cell choose(int me, double weight) const {
        std::vector<double> rivals(probes.size(), 0.0);
        for (int player = 0; player < (int)pulls.size(); player++)
            for (size_t i = 0; player != me && i < probes.size(); i++)
                rivals[i] = std::max(rivals[i], pulls[player][i]);
        Cell best{0, 0};
        int most = -1;
        for (Cell cell : candidates()) {
            int won = 0;
            for (size_t i = 0; i < probes.size(); i++) won += pulls[me][i] + pull(cell, weight, probes[i]) > rivals[i];
            if (won > most) most = won, best = cell;
        }
        return best;
    }
};

// Connect, or exit with the reason.
int connected(const char* host, const char* port) {
    addrinfo hints{}, *found = nullptr;
    hints.ai_socktype = SOCK_STREAM;
    if (getaddrinfo(host, port, &hints, &found) == 0)
        for (addrinfo* at = found; at; at = at->ai_next) {
            int fd = socket(at->ai_family, at->ai_socktype, at->ai_protocol);
            if (fd >= 0 && connect(fd, at->ai_addr, at->ai_addrlen) == 0) return freeaddrinfo(found), fd;
            if (fd >= 0) close(fd);
        }
    std::cerr << "no referee at " << host << ":" << port << "\n";
    std::exit(1);
}

// Read the numbers of the next line; false when the referee has closed the connection. A line may come in several
// packets, and several lines in one: getline handles both. A line of words is the referee's reason for closing.
bool read_numbers(FILE* in, Numbers& numbers) {
    static char* line = nullptr;
    static size_t room = 0;
    ssize_t length = getline(&line, &room, in);
    if (length <= 0 || line[length - 1] != '\n') return false;
    std::istringstream words{std::string(line)};
    numbers.clear();
    for (long long number; words >> number;) numbers.push_back(number);
    if (words.eof()) return true;
    std::cerr << line;
    std::exit(1);
}

int main(int count, char** words) {
    std::vector<std::string> plain;
    for (int i = 1; i < count; i++) {
        std::string word = words[i];
        if (word == "--size" && i + 1 < count) SIZE = std::atoi(words[++i]);
        else if (word == "--spacing" && i + 1 < count) SPACING = std::atoi(words[++i]);
        else plain.push_back(word);
    }
    if (plain.size() < 2 || plain.size() > 3 || SIZE < 1 || SPACING < 1) {
        std::cerr << "usage: hps_client HOST PORT [NAME] [--size 1000] [--spacing 66]\n";
        return 2;
    }
    std::string name = plain.size() == 3 ? plain[2] : "sample";
    std::signal(SIGPIPE, SIG_IGN);  // if the referee closes while we write, reading finds out
    int fd = connected(plain[0].c_str(), plain[1].c_str());
    FILE* in = fdopen(fd, "r");

    Numbers line;  // first: players, stones, [weight,] order
    if (!read_numbers(in, line) || line.size() < 3) return 0;
    const int players = line[0], stones = line[1], me = line.back() - 1;
    const bool is_weighted = line.size() == 4;
    dprintf(fd, "%s\n", name.c_str());  // the line end is optional in hps, but faster
    Board board(players);
    while (read_numbers(in, line)) {  // flag, [weight left,] scores, then row, col, [weight,] player of each new move
        size_t at = is_weighted ? 2 : 1;
        if (line.size() < at + players) break;
        if (line[0] == 1) {  // the game is over; the next line belongs to a new one
            std::cerr << name << " was player " << me + 1 << ", the scores are";
            for (int player = 0; player < players; player++) std::cerr << " " << line[at + player];
            std::cerr << "\n";
            board = Board(players);
            continue;
        }
        const size_t width = is_weighted ? 4 : 3;
        for (at += players; at + width <= line.size(); at += width)
            board.place({line[at], line[at + 1]}, is_weighted ? line[at + 2] : 1, line[at + width - 1] - 1, me);
        const int stones_left = std::max(1, stones - board.own_stones);
        // an even share; all the rest on the last stone
        const int weight = is_weighted ? std::max(1LL, line[1] / stones_left) : 1;
        const Cell move = board.choose(me, weight);
        if (is_weighted) dprintf(fd, "%d %d %d\n", move.first, move.second, weight);
        else dprintf(fd, "%d %d\n", move.first, move.second);
        board.place(move, weight, me, me);
    }
    fclose(in);
}
